"""The analyser: choose where to operate, in a browser.

`scene` turns predictions into the numbers that a page computes from, `page` writes the page: one file
that needs no server, or one that talks to `server`.
"""
