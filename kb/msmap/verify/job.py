"""Where scripts that `msmap evidence show` of 0.1 printed look for a job; it goes after 0.2."""

from msmap.verify.plan.job import Job

__all__ = ["Job"]
