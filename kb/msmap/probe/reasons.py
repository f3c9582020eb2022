"""Why nothing of a name is run, as far as its name and kind tell."""

from __future__ import annotations

from msmap import syntax
from msmap.probe.sample import Sampling
from msmap.signatures.files import Api

# What needs something that no sample can bring along, by how names begin.
_ACCELERATORS = (
    "torch.cuda.", "torch.xpu.", "torch.mtia.", "torch.mps.", "torch.accelerator.",
    "torch.backends.",
    "torch.Tensor.cuda", "torch.Tensor.xpu", "torch.Tensor.ipu", "torch.Tensor.mtia",
    "torch.nn.Module.cuda", "torch.nn.Module.xpu", "torch.nn.Module.ipu", "torch.nn.Module.mtia",
    "torch.Tensor.record_stream", "torch.Tensor.pin_memory", "torch.nn.attention.",
    "torch.nn.DataParallel", "torch.Stream", "torch.Event", "torch.get_device_module",
    "torch.UntypedStorage.cuda", "torch.TypedStorage.cuda",
)  # fmt: skip
_SERVICES = (
    "torch.distributed.", "torch.multiprocessing.", "torch.hub.", "torch.futures.", "torch.rpc.",
    "torch.nn.parallel.", "torch.nn.SyncBatchNorm", "torch.utils.tensorboard.",
    "torch.utils.data.distributed", "torch.utils.data.DistributedSampler",
    "torch.Tensor.share_memory_",
    "torch.nn.Module.share_memory", "torch.from_file", "torch.utils.cpp_extension.",
)  # fmt: skip
# They set how PyTorch works, wrap code, or watch it.
_STATES = (
    "torch.jit.", "torch.compiler.", "torch.set_", "torch.use_deterministic_algorithms",
    "torch.autograd.profiler.", "torch.profiler.", "torch.utils.checkpoint.", "torch.overrides.",
    "torch.utils.hooks.", "torch.utils.backcompat", "torch.onnx.", "torch.export.",
    "torch.package.",
    "torch.monitor.", "torch.init_num_threads", "torch.fork", "torch.wait", "torch.fx.",
    "torch.library.", "torch.save", "torch.utils.deterministic", "torch.Tensor.register_",
    "torch.Tensor.retain_grad", "torch.Tensor.backward", "torch.ao.", "torch.quantization.",
    "torch.compile", "torch.no_grad", "torch.enable_grad", "torch.inference_mode",
    "torch.autocast", "torch.amp.", "torch.autograd.graph.", "torch.autograd.set_",
    "torch.manual_seed",
    "torch.seed", "torch.parse_", "torch.import_ir", "torch.merge_type", "torch.unify_type",
)  # fmt: skip
# Classes that PyTorch derives others from, or makes itself.
_INTERNAL = (
    "torch.distributions.Distribution", "torch.utils.data.Sampler",
    "torch.optim.Optimizer", "torch.nn.Module", "torch.nn.RNNBase", "torch.nn.RNNCellBase",
    "torch.optim.lr_scheduler.LRScheduler", "torch.autograd.Function",
    "torch.utils.data.IterableDataset", "torch.utils.data.Dataset", "torch.ScriptFunction",
    "torch.DisableTorchFunction", "torch.DisableTorchFunctionSubclass", "torch.CompilationUnit",
    "torch.JITException", "torch.nn.UninitializedParameter", "torch.nn.UninitializedBuffer",
)  # fmt: skip


def before(api: Api) -> str:
    """Why a name isn't even sampled, one of ``vocabulary.NOT_PROBED``; "" if it is."""
    if api.kind in ("constant", "dtype", "module"):
        return "constant"
    name = api.name
    for reason, starts in (
        ("accelerator", _ACCELERATORS), ("service", _SERVICES), ("no_result", _STATES)
    ):  # fmt: skip
        if name.startswith(starts):
            return reason
    leaf = name.rpartition(".")[2]
    if name in _INTERNAL or (leaf.startswith("_") and leaf not in syntax.METHODS):
        return "internal"
    return ""


def after(sampling: Sampling) -> str:
    """Why a name without samples is not run; "" if it has some."""
    if sampling.samples:
        return ""
    return "accelerator" if sampling.gaps.keys() == {"device"} else "no_samples"
