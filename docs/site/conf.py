"""Settings of the site; `make docs` builds it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

project = "Jourdain"
author = "The Jourdain developers"
copyright = author
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "docstrings", "mathml"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
root_doc = "index"
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "Jourdain"
html_math_renderer = "mathml"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_extra_path = ["pages"]
html_show_search_summary = False  # it would fetch pages, which browsers refuse on the disk
html_show_sourcelink = False
html_copy_source = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"
add_module_names = False
napoleon_use_rtype = False
napoleon_use_ivar = True
suppress_warnings = ["myst.header", "ref.python"]  # names that several classes have
