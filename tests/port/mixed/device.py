import torch
device = "cuda:0" if torch.cuda.is_available() else "cpu"
dev = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x = torch.zeros(3, device=device).to(dev, dtype=torch.float16, non_blocking=True)
m = torch.nn.Linear(3, 3).to(device).half()
if dev.type == "cuda":
    torch.cuda.empty_cache(); torch.cuda.synchronize()
    print(torch.cuda.get_device_name(0), torch.cuda.device_count())
x = x.cuda() if torch.cuda.is_available() else x.cpu()
y = x.to(x.device); z = x.to(y); w = x.to(torch.float32); d = x.device; x.is_cuda
m.to(dtype=torch.float64); m = m.cuda(0); m.cpu()
def run(x, device=None): return x.to(device)
run(x, dev); run(x, device=x.device)
with torch.cuda.device(0): pass
torch.set_default_device("cpu"); torch.set_default_dtype(torch.float64)
torch.backends.cudnn.benchmark = True; torch.backends.cudnn.deterministic = True
