"""The rivals of sotto_learning_bench: the same training and the same denoising pass, as one would write them with stock
PyTorch and NumPy. usage: rivals.py DIRECTORY, with a line of JSON per request on standard input and per answer on
standard output. Arrays are files in DIRECTORY."""

import json
import math
import sys
import time

try:
    import numpy as np
    import torch
    from torch import nn
    from torch.nn import functional as F
except ImportError as missing:
    print(json.dumps({"error": f"{missing}; install the Debian packages python3-torch and python3-numpy"}), flush=True)
    sys.exit(1)

directory = sys.argv[1]
arrays = {}


def array(name):
    if name not in arrays:
        arrays[name] = np.load(f"{directory}/{name}.npy")
    return arrays[name]


def tensor(name):
    return torch.from_numpy(array(name))


def perceptron(widths):
    layers = []
    for inputs, outputs in zip(widths, widths[1:]):
        layers += [nn.Linear(inputs, outputs), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def set_parameters(network, flat):
    """`flat` holds the weight, then the bias, of each layer."""
    place = 0
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.copy_(flat[place : place + parameter.numel()].view_as(parameter))
            place += parameter.numel()
    assert place == flat.numel()


def train(widths, batch, steps, rate, radius, scale, foreach):
    records, order, noise = tensor("records"), tensor("order").long(), tensor("noise")
    encoder, decoder = perceptron(widths), perceptron(widths[::-1])
    set_parameters(encoder, tensor("encoder").flatten())
    set_parameters(decoder, tensor("decoder").flatten())
    optimiser = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=rate, foreach=foreach)
    prior = 1 / math.sqrt(2)
    losses = []
    start = time.perf_counter()
    for begin in range(0, steps * batch, batch):
        rows = order[begin : begin + batch]
        x = records[rows]
        optimiser.zero_grad(set_to_none=True)
        unbounded = encoder(x)
        means = unbounded * torch.clamp(radius / unbounded.abs().sum(1, keepdim=True), max=1)
        latents = means + scale * noise[begin : begin + batch]
        reconstruction = F.binary_cross_entropy_with_logits(decoder(latents), x, reduction="sum")
        size = means.abs()
        divergence = (math.log(prior / scale) + scale / prior * torch.exp(-size / scale) + size / prior - 1).sum()
        loss = (reconstruction + divergence) / len(rows)
        loss.backward()
        optimiser.step()
        losses.append(loss.detach())
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "losses": [float(loss) for loss in losses]}


class Views:
    """Moved, turned, bent, drawn with another pen, partly covered: the changes and sizes of sotto's views of digits."""

    def __init__(self, side):
        self.side = side
        steps = torch.arange(side, dtype=torch.float32) - (side - 1) / 2
        self.v, self.u = torch.meshgrid(steps, steps, indexing="ij")
        self.place = torch.arange(side)

    def draw(self, x):
        n, side = len(x), self.side
        angle, stretch_x, stretch_y, shear, shift_x, shift_y = (2 * torch.rand(6, n, 1, 1) - 1).unbind()
        angle, stretch_x, stretch_y = angle * math.pi / 9, 1 + 0.2 * stretch_x, 1 + 0.2 * stretch_y
        bend = F.interpolate(1.5 * torch.randn(n, 2, 5, 5), size=(side, side), mode="bilinear", align_corners=True)
        across = torch.cos(angle) * stretch_x * self.u + (0.3 * shear - torch.sin(angle) * stretch_y) * self.v
        down = torch.sin(angle) * stretch_x * self.u + torch.cos(angle) * stretch_y * self.v
        grid = torch.stack([across + 3 * shift_x + bend[:, 0], down + 3 * shift_y + bend[:, 1]], dim=-1)
        y = F.grid_sample(x, grid * (2 / (side - 1)), mode="bilinear", padding_mode="zeros", align_corners=True)
        pen = torch.rand(n)
        for sign, chosen in ((-1, pen < 0.25), (1, (pen >= 0.25) & (pen < 0.5))):
            wider = F.pad(sign * y[chosen], (0, 1, 0, 1), mode="replicate")
            y[chosen] = sign * F.max_pool2d(wider, 2, stride=1)
        corner, size = torch.randint(0, side, (2, n, 1)), torch.randint(4, 9, (2, n, 1))
        inside = (self.place >= corner) & (self.place < corner + size)
        covered = inside[0, :, :, None] & inside[1, :, None, :] & (torch.rand(n, 1, 1) < 0.3)
        return y.masked_fill(covered[:, None], 0)


def convolution(inputs, outputs, side):
    return [nn.Conv2d(inputs, outputs, side, stride=2, padding=side // 2), nn.BatchNorm2d(outputs), nn.ReLU()]


def contrast(rows, batch, temperature, rate):
    images = tensor("images")[:rows]
    side = math.isqrt(images.shape[1])
    images = images.view(-1, 1, side, side)
    network = nn.Sequential(
        *convolution(1, 16, 5), *convolution(16, 32, 3), *convolution(32, 64, 3), nn.Flatten(),
        nn.Linear(1024, 128), nn.BatchNorm1d(128), nn.ReLU(),
        nn.Linear(128, 128), nn.BatchNorm1d(128), nn.ReLU(), nn.Linear(128, 64),
    )
    optimiser = torch.optim.Adam(network.parameters(), lr=rate)
    views = Views(side)
    total = 0.0
    start = time.perf_counter()
    order = torch.randperm(rows)
    for begin in range(0, rows, batch):
        x = images[order[begin : begin + batch]]
        optimiser.zero_grad(set_to_none=True)
        z = F.normalize(network(views.draw(torch.cat([x, x]))))
        first, second = z[: len(x)], z[len(x) :]
        loss = 0.0
        for half in (slice(0, len(x) // 2), slice(len(x) // 2, len(x))):  # as sotto's two threads do
            pair = torch.cat([first[half], second[half]])
            count = len(pair) // 2
            scores = pair @ pair.T / temperature
            scores.fill_diagonal_(-math.inf)
            partner = torch.arange(2 * count).roll(count)
            loss = loss + F.cross_entropy(scores, partner) * count / len(x)
        loss.backward()
        optimiser.step()
        total += float(loss.detach()) * len(x)
    return {"seconds": time.perf_counter() - start, "loss": total / rows}


def resident_bytes(name):
    """VmRSS: now; VmHWM: at most since the last reset."""
    with open("/proc/self/status") as status:
        fields = dict(line.split(":", 1) for line in status)
    return int(fields[name].split()[0]) * 1024


def reset_peak():
    with open("/proc/self/clear_refs", "w") as control:
        control.write("5")


bytes_before = None  # any pass


def numpy_block(reports, points, joint, given, gradient):
    distances = np.zeros((len(reports), len(points)), np.float32)
    room = np.empty_like(distances)
    for i in range(points.shape[1]):
        np.subtract(reports[:, i, None], points[None, :, i], out=room)
        np.abs(room, out=room)
        distances += room
    nearest = distances.min(axis=1)
    np.subtract(nearest[:, None], distances, out=distances)
    np.exp(distances, out=distances)
    total = (distances @ joint * given).sum(axis=1)
    gradient += distances.T @ (given / total[:, None])
    return float((np.log(total) - nearest).sum(dtype=np.float64))


def torch_block(reports, points, joint, given, gradient):
    distances = torch.cdist(reports, points, p=1)
    nearest = distances.min(dim=1).values
    weights = distances.neg_().add_(nearest[:, None]).exp_()
    total = (weights @ joint * given).sum(dim=1)
    gradient.addmm_(weights.T, given / total[:, None])
    return float((torch.log(total) - nearest).sum(dtype=torch.float64))


def denoise(library, block, rows):
    take, step = (array, numpy_block) if library == "numpy" else (tensor, torch_block)
    reports, points, joint = take("reports")[:rows], take("points"), take("joint")
    noisy = take("noisy_labels")
    given = take("label_noise")[noisy if library == "numpy" else noisy.long()][:rows]
    global bytes_before
    bytes_before = bytes_before or resident_bytes("VmRSS")
    reset_peak()
    start = time.perf_counter()
    gradient = np.zeros_like(joint) if library == "numpy" else torch.zeros_like(joint)
    total = 0.0
    for begin in range(0, rows, block):
        part = slice(begin, begin + block)
        total += step(reports[part], points, joint, given[part], gradient)
    gradient /= rows
    seconds = time.perf_counter() - start
    used = resident_bytes("VmHWM") - bytes_before
    np.asarray(gradient).tofile(f"{directory}/gradient.bin")
    return {"seconds": seconds, "bytes": used, "log_likelihood": total / rows}


def main():
    print(json.dumps({"torch": torch.__version__, "numpy": np.__version__}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = {"train": train, "contrast": contrast, "denoise": denoise}[request.pop("task")](**request)
        except Exception as failure:  # whatever it is, it ends the benchmark over there
            answer = {"error": f"{type(failure).__name__}: {failure}"}
        print(json.dumps(answer), flush=True)


main()
