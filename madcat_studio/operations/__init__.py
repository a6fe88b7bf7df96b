"""One thin function for each thing a user can ask for; joins the rooms below."""
