"""A wheel for any Python 3 of this platform: the library is no extension module, and the command is no script in Python."""
import os

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel

# Of setuptools, which brings it under this name.
from distutils.command.build_scripts import build_scripts  # isort: skip


class BinaryDistribution(Distribution):
    def has_ext_modules(self):
        return True


class Wheel(bdist_wheel):
    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class Commands(build_scripts):
    """Copies them: setuptools would read their first line as text."""

    def run(self):
        self.mkpath(self.build_dir)
        for script in self.scripts:
            self.copy_file(script, os.path.join(self.build_dir, os.path.basename(script)))


setup(
    distclass=BinaryDistribution, scripts=["bin/attlas"],
    cmdclass={"bdist_wheel": Wheel, "build_scripts": Commands})
