"""The public names of the installed PyTorch, with what each of them gives."""

from __future__ import annotations

import importlib
import inspect
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msmap import syntax
from msmap.signatures.readers import objects, stubs
from msmap.signatures.readers.objects import Named, attribute

# The order decides which of an object's names is the canonical one.
NAMESPACES = (
    "torch.nn",
    "torch.nn.functional",
    "torch.nn.init",
    "torch.nn.utils",
    "torch.nn.utils.rnn",
    "torch.nn.utils.parametrizations",
    "torch.nn.utils.parametrize",
    "torch.nn.utils.prune",
    "torch.nn.utils.stateless",
    "torch.nn.utils.fusion",
    "torch.nn.parallel",
    "torch.nn.parameter",
    "torch.nn.attention",
    "torch.nn.attention.bias",
    "torch.nn.attention.flex_attention",
    "torch.optim",
    "torch.optim.lr_scheduler",
    "torch.optim.swa_utils",
    "torch.linalg",
    "torch.special",
    "torch.signal.windows",
    "torch.func",
    "torch.amp",
    "torch",
    "torch.fft",
    "torch.autograd",
    "torch.autograd.functional",
    "torch.autograd.forward_ad",
    "torch.autograd.graph",
    "torch.autograd.profiler",
    "torch.cuda",
    "torch.cuda.amp",
    "torch.cuda.graphs",
    "torch.cuda.memory",
    "torch.cuda.nvtx",
    "torch.cuda.random",
    "torch.cuda.tunable",
    "torch.cpu",
    "torch.cpu.amp",
    "torch.mps",
    "torch.xpu",
    "torch.mtia",
    "torch.accelerator",
    "torch.random",
    "torch.sparse",
    "torch.masked",
    "torch.nested",
    "torch.jit",
    "torch.compiler",
    "torch.export",
    "torch.fx",
    "torch.onnx",
    "torch.hub",
    "torch.futures",
    "torch.library",
    "torch.overrides",
    "torch.package",
    "torch.profiler",
    "torch.testing",
    "torch.storage",
    "torch.serialization",
    "torch.types",
    "torch.multiprocessing",
    "torch.quasirandom",
    "torch.return_types",
    "torch.distributions",
    "torch.distributions.constraints",
    "torch.distributions.kl",
    "torch.distributions.transforms",
    "torch.distributed",
    "torch.distributed.algorithms.join",
    "torch.distributed.checkpoint",
    "torch.distributed.device_mesh",
    "torch.distributed.elastic",
    "torch.distributed.fsdp",
    "torch.distributed.nn",
    "torch.distributed.optim",
    "torch.distributed.pipelining",
    "torch.distributed.rpc",
    "torch.distributed.tensor",
    "torch.distributed.tensor.parallel",
    "torch.utils",
    "torch.utils.benchmark",
    "torch.utils.checkpoint",
    "torch.utils.cpp_extension",
    "torch.utils.data",
    "torch.utils.data.distributed",
    "torch.utils.dlpack",
    "torch.utils.hooks",
    "torch.utils.mobile_optimizer",
    "torch.utils.model_zoo",
    "torch.backends",
    "torch.backends.cpu",
    "torch.backends.cuda",
    "torch.backends.cudnn",
    "torch.backends.mha",
    "torch.backends.mkl",
    "torch.backends.mkldnn",
    "torch.backends.mps",
    "torch.backends.nnpack",
    "torch.backends.openmp",
    "torch.backends.opt_einsum",
    "torch.ao.quantization",
    "torch.ao.nn.quantized",
    "torch.quantization",
)
MEMBERS = (
    "torch.Tensor",
    "torch.Generator",
    "torch.Size",
    "torch.nn.Module",
    "torch.nn.ModuleDict",
    "torch.nn.ModuleList",
    "torch.nn.ParameterDict",
    "torch.nn.ParameterList",
    "torch.nn.Sequential",
    "torch.nn.MultiheadAttention",
    "torch.nn.Transformer",
    "torch.nn.Embedding",
    "torch.nn.EmbeddingBag",
    "torch.optim.Optimizer",
    "torch.optim.lr_scheduler.LRScheduler",
    "torch.optim.lr_scheduler.ReduceLROnPlateau",
    "torch.optim.swa_utils.AveragedModel",
    "torch.amp.GradScaler",
    "torch.autograd.Function",
    "torch.autograd.function.FunctionCtx",
    "torch.autograd.profiler.profile",
    "torch.cuda.CUDAGraph",
    "torch.cuda.Event",
    "torch.cuda.Stream",
    "torch.distributions.Distribution",
    "torch.nn.parallel.DistributedDataParallel",
    "torch.nn.utils.rnn.PackedSequence",
    "torch.profiler.profile",
    "torch.utils.data.DataLoader",
    "torch.utils.data.distributed.DistributedSampler",
)
# Outside of all these, but called: old paths, enumerations, and what is public without a list.
CALLED = (
    "torch.ByteStorage.from_buffer",
    "torch.__config__.show",
    "torch.__file__",
    "torch.__version__",
    "torch.autograd.function.once_differentiable",
    "torch.backends.cuda.matmul.allow_tf32",
    "torch.backends.cudnn.allow_tf32",
    "torch.backends.cudnn.benchmark",
    "torch.backends.cudnn.deterministic",
    "torch.backends.cudnn.enabled",
    "torch.classes",
    "torch.classes.load_library",
    "torch.cuda.nccl.version",
    "torch.distributed.Backend.NCCL",
    "torch.distributed.ReduceOp.AVG",
    "torch.distributed.ReduceOp.MAX",
    "torch.distributed.ReduceOp.MIN",
    "torch.distributed.ReduceOp.PRODUCT",
    "torch.distributed.ReduceOp.SUM",
    "torch.distributed._tensor.Replicate",
    "torch.distributed._tensor.Shard",
    "torch.distributed._tensor.device_mesh.init_device_mesh",
    "torch.distributed.algorithms._checkpoint.checkpoint_wrapper.apply_activation_checkpointing",
    "torch.distributed.algorithms.ddp_comm_hooks.default.fp16_compress_hook",
    "torch.distributed.autograd.backward",
    "torch.distributed.autograd.context",
    "torch.distributed.autograd.get_gradients",
    "torch.distributed.checkpoint.state_dict.StateDictOptions",
    "torch.distributed.checkpoint.state_dict._init_optim_state",
    "torch.distributed.checkpoint.state_dict.get_model_state_dict",
    "torch.distributed.checkpoint.state_dict.get_optimizer_state_dict",
    "torch.distributed.checkpoint.state_dict.set_model_state_dict",
    "torch.distributed.checkpoint.state_dict.set_optimizer_state_dict",
    "torch.distributed.fsdp.FullyShardedDataParallel.fsdp_modules",
    "torch.distributed.fsdp.FullyShardedDataParallel.full_optim_state_dict",
    "torch.distributed.fsdp.FullyShardedDataParallel.optim_state_dict",
    "torch.distributed.fsdp.FullyShardedDataParallel.scatter_full_optim_state_dict",
    "torch.distributed.fsdp.FullyShardedDataParallel.state_dict_type",
    "torch.distributed.fsdp.ShardingStrategy.FULL_SHARD",
    "torch.distributed.fsdp.ShardingStrategy.NO_SHARD",
    "torch.distributed.fsdp.ShardingStrategy.SHARD_GRAD_OP",
    "torch.distributed.fsdp.StateDictType.LOCAL_STATE_DICT",
    "torch.distributed.fsdp.sharded_grad_scaler.ShardedGradScaler",
    "torch.distributed.fsdp.wrap.ModuleWrapPolicy",
    "torch.distributed.fsdp.wrap.lambda_auto_wrap_policy",
    "torch.distributed.fsdp.wrap.transformer_auto_wrap_policy",
    "torch.distributions.constraints.lower_cholesky.check",
    "torch.distributions.constraints.positive_definite.check",
    "torch.distributions.utils.broadcast_all",
    "torch.distributions.utils.clamp_probs",
    "torch.distributions.utils.lazy_property",
    "torch.distributions.utils.logits_to_probs",
    "torch.distributions.utils.probs_to_logits",
    "torch.fx.node.map_arg",
    "torch.fx.proxy.GraphAppendingTracer",
    "torch.fx.proxy.TraceError",
    "torch.hub.HASH_REGEX",
    "torch.jit.Final",
    "torch.jit.annotations",
    "torch.jit.is_scripting",
    "torch.nn.Module.__call__",
    "torch.nn.Module.__init__",
    "torch.nn.SyncBatchNorm.convert_sync_batchnorm",
    "torch.nn.modules.batchnorm._BatchNorm",
    "torch.nn.modules.conv._ConvNd",
    "torch.nn.modules.utils._pair",
    "torch.nn.modules.utils._single",
    "torch.nn.modules.utils._triple",
    "torch.onnx.OperatorExportTypes.ONNX_ATEN_FALLBACK",
    "torch.onnx.TensorProtoDataType.INT64",
    "torch.onnx.symbolic_helper.cast_pytorch_to_onnx",
    "torch.onnx.symbolic_helper.scalar_type_to_onnx",
    "torch.onnx.symbolic_opset9.expand",
    "torch.onnx.symbolic_opset9.sub",
    "torch.onnx.symbolic_opset9.unsqueeze",
    "torch.ops",
    "torch.ops.load_library",
    "torch.optim.lr_scheduler._LRScheduler",
    "torch.serialization.MAP_LOCATION",
    "torch.utils.collect_env.get_cpu_info",
    "torch.utils.collect_env.get_gcc_version",
    "torch.utils.collect_env.get_gpu_info",
    "torch.utils.collect_env.get_nvidia_driver_version",
    "torch.utils.collect_env.get_pretty_env_info",
    "torch.utils.collect_env.run",
    "torch.utils.dlpack.to_dlpack",
    "torch.utils.model_zoo.load_url",
    "torch.version.debug",
    "torch.version.git_version",
)
# What a class has from one of Python's own.
INHERITED = ("torch.Size.count", "torch.Size.index")
# What only an object has, which no class tells.
ATTRIBUTES = (
    "torch.optim.Optimizer.param_groups",
    "torch.optim.lr_scheduler.ReduceLROnPlateau.num_bad_epochs",
)
# What can't be imported without another package, and the source that says how it is called.
UNIMPORTED = {"torch.utils.tensorboard.SummaryWriter": "utils/tensorboard/writer.py"}
# Helpers that a namespace imports; torch.hub replaces tqdm where it is not installed.
_IMPORTED = frozenset(
    {
        "assert_int_or_pair",
        "boolean_dispatch",
        "handle_torch_function",
        "has_torch_function",
        "has_torch_function_unary",
        "has_torch_function_variadic",
        "tqdm",
    }
)


def names() -> Iterator[Named]:
    """Every public name of the installed PyTorch, with its value."""
    import torch

    seen: set[str] = set()
    for namespace in NAMESPACES:
        module = importlib.import_module(namespace)
        yield Named(namespace, module, "module")
        for key in _public(module):
            value = getattr(module, key)
            if isinstance(value, types.ModuleType):
                continue
            seen.add(f"{namespace}.{key}")
            kind = objects.kind_of(value, torch.dtype)
            yield Named(f"{namespace}.{key}", value, kind)
    classes = [(name, at(name)) for name in MEMBERS]
    stop = [value for _, value in classes if isinstance(value, type)]
    for name, value in classes:
        if name not in seen:
            yield Named(name, value, "class")
        called = syntax.METHODS if name == "torch.Tensor" else ()
        yield from objects.members(value, name, stop, called)
    for name in CALLED:
        value = at(name)
        yield Named(name, value, objects.kind_of(value, torch.dtype))
    for name in INHERITED:
        home, _, leaf = name.rpartition(".")
        yield Named(name, inspect.getattr_static(at(home), leaf), "method", at(home))
    for name in ATTRIBUTES:
        yield Named(name, None, "property", at(name.rpartition(".")[0]))
    yield from _from_sources(Path(torch.__file__).parent)


def _from_sources(root: Path) -> Iterator[Named]:
    """The classes that can't be imported, and their methods; no name has a value."""
    for name, path in UNIMPORTED.items():
        home, _, leaf = name.rpartition(".")
        yield Named(name, None, "class")
        for defined in stubs.load(root / path):
            if defined.startswith(f"{leaf}.") and not defined.startswith(f"{leaf}._"):
                yield Named(f"{home}.{defined}", None, "method", object)


def unimported(name: str) -> str:
    """The file below PyTorch's that a name is read from which can't be imported; else ""."""
    return UNIMPORTED.get(name) or UNIMPORTED.get(name.rpartition(".")[0], "")


def at(name: str) -> Any:
    """The object a dotted name leads to."""
    parts = name.split(".")
    value: Any = importlib.import_module(parts[0])
    for at, part in enumerate(parts[1:], start=2):
        if not hasattr(value, part):
            value = importlib.import_module(".".join(parts[:at]))
        else:
            value = getattr(value, part)
    return value


def _public(module: types.ModuleType) -> list[str]:
    listed: set[str] = {key for key in getattr(module, "__all__", ()) if hasattr(module, key)}
    # torch.__all__ lacks documented names such as torch.unique and torch.strided.
    added = _defined_here if listed else _own
    found = listed | {key for key in dir(module) if key not in _IMPORTED and added(module, key)}
    return sorted(key for key in found if not key.startswith("_"))


def _defined_here(module: types.ModuleType, key: str) -> bool:
    value = getattr(module, key)
    home = attribute(value, "__module__")
    if isinstance(value, type) or inspect.isroutine(value):
        return str(home).startswith(module.__name__)
    return module.__name__ == "torch" and type(value).__module__ == "torch"


def _own(module: types.ModuleType, key: str) -> bool:
    value = getattr(module, key)
    home = attribute(value, "__module__")
    if key == "TYPE_CHECKING" or not objects.belongs(value, "torch"):
        return False
    near = ".".join(module.__name__.split(".")[:2])
    if isinstance(value, type):
        return str(home).startswith(("torch._C", near))
    return not isinstance(home, str) or home == "torch" or home.startswith(("torch._C", near))
