"""How the documentation is built: `python -m sphinx -W --keep-going -b html docs docs/_build/html`.

Nothing is fetched: formulas become MathML when the pages are written, and no page loads anything
from elsewhere.
"""

import os
import sys
from pathlib import Path

os.environ["MPLBACKEND"] = "Agg"
os.environ["COLUMNS"] = "80"
sys.path.insert(0, str(Path(__file__).parent / "_ext"))

import credibly

project = "Credibly"
author = "The Credibly developers"
copyright = author  # noqa: A001
version = release = credibly.__version__
language = "en-GB"

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_gallery.gen_gallery",
    "credibly_mathml",
    "credibly_reference",
    "credibly_companion",
]
exclude_patterns = ["_build", "examples", "README.md"]
root_doc = "index"
default_role = "code"
nitpicky = False

html_theme = "furo"
html_title = f"Credibly {release}"
html_static_path = ["_static"]
html_css_files = ["credibly.css"]
html_math_renderer = "mathml"
html_show_sphinx = False
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}
pygments_style = "friendly"
pygments_dark_style = "monokai"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
napoleon_google_docstring = False
napoleon_use_param = False
napoleon_use_rtype = False
toc_object_entries_show_parents = "hide"

sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "within_subsection_order": "FileNameSortKey",
    "plot_gallery": True,
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
    "min_reported_time": 1e9,
    "remove_config_comments": True,
    "capture_repr": ("_repr_html_", "__repr__"),
    "image_scrapers": ("matplotlib",),
    "thumbnail_size": (320, 224),
}
