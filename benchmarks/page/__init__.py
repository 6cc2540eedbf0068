"""Benchmarks of pages in a browser: Lighthouse, the bytes of a first visit, screenshots."""
