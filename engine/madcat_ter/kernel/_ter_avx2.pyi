# The same source as _ter, compiled for newer processors.
from madcat_ter.kernel._ter import INTERFACE as INTERFACE
from madcat_ter.kernel._ter import align as align
from madcat_ter.kernel._ter import align_batch as align_batch
from madcat_ter.kernel._ter import has_avx2 as has_avx2
from madcat_ter.kernel._ter import like_sacrebleu_batch as like_sacrebleu_batch
from madcat_ter.kernel._ter import nist_path as nist_path
from madcat_ter.kernel._ter import wer_batch as wer_batch
