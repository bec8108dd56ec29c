"""The workbench: the whole job in a browser.

One study, one rail. A screen is one module in `browser/screens` that declares itself (`browser/screens.js`);
`browser/bench.js` shows it, keeps what is chosen in the address, and asks the server for numbers: every call is
a verb (`app/calls.py`), and `app/spelling.py` writes it as a command and as Python. What follows the slider is
computed by the page: `app/page_data.py` writes down what it needs: each model's full table of distinct
scores as packed bytes, the cuts through which curves are drawn, the hull, and what only Python can say
(measures, comparisons, findings, calibration). `app/page.py` puts the page together from `app/browser`: ES
modules as they are written, typed by JSDoc. With a server they are linked; without, they are joined into
one script, which is why no two of them use the same name at their top.

- **Schemes** are tried in a process of their own (`app/experiment_process.py`), which keeps what is done in the folder of an
  experiment (`app/runs.py`), so that it can be stopped and continued, and ends with the server. What is run is
  named: schemes and resamplings of the registries, data of the server. `app/experiment_calls.py` has these calls,
  `app/workshop.py` what they work on.
- **The arithmetic is there twice**, in `decisions` and in `browser/arithmetic.js`, and tests run both on
  the same random tables. A place on the list falls into six groups of cases that no sum distinguishes, so
  that every sum and its interval cost the same for a hundred cases and a million.
- **The best place's limits** need no new draws when costs change: the optimum of a part of the cases is a
  corner of its ROC hull, and the page's data hold the corners of 500 parts (`app/page_data.py`), those that `decide`
  draws.
- **What moves is drawn by the page**: Vega draws axes and curves when these change; the cross, the tangent
  and the bands are a layer of SVG over them, so that the slider keeps up with the screen.
- **What is chosen** is one flat object (`browser/state.js`): undo keeps the earlier ones, the address what
  differs from the start, a scenario what Python can run, a study file (`browser/study_file.js`) all of it.

`app/server.py` routes requests to the calls of `app/calls.py`. A call is one declared function: its
keyword-only arguments and those that it takes of a public function, with hints and docstring, give the checks of what is sent (`_core/signatures.py`), the
OpenAPI document and its page. Calls work on a `Session`: the few sets of predictions that are kept in memory
under ids that cannot be guessed, and the folder of uploads, which goes with the server, also after a
signal or by the next server (`app/upload_folder.py`). They compute in a thread, one at a time, so that the
server still answers; results write themselves as JSON, as on the command line. A computation is a job
(`app/jobs.py`): it is stopped by a call, when who asked has hung up, or when its time is over.

- **Security** (`app/security.py`) stands before everything. The name in `Host` must be ours, so that no
  other name can be made to point here; an `Origin`, and what browsers say in `Sec-Fetch-Site`, must be our
  own page; whatever holds data needs the token of this start. There are no cookies. Every answer, refusals
  included, carries a policy under which nothing but files of this server may run or be asked for.
- **Connections** (`app/connections.py`) that have not shown the token are few, are cut off when they ask for
  nothing, and make room for each other, so that they keep nobody out.
- **An upload** is a raw body, refused by its announced size or while it comes. Its file name is a label:
  the file on disk has plain letters of it, in a folder that is called by us. It is read in a process of its own (`app/uploads.py`) with bounds on
  memory and time, after `io/_limits.py` has bounded what it unpacks to, its rows and its columns. Whatever
  such a file provokes ends that process and not the server. What reads it is a reader of the registry, by
  its content; there is none for code.
- **Roles** that names do not tell are suggested by the values (`uploads.open_or_ask`); what cannot be guessed is
  no error: the set is kept with its columns and the reason, and can be told beside the first rows
  (`app/preview.py`).
- **Earlier studies** (`app/recent.py`) are names, options of reading and a fingerprint in one private file of the
  user: choosing the file again reads its columns as then. **A preview** of a report is a page of its own in a
  sandboxed frame, so that what is looked at is what is saved, and nothing in it can ask the server.
- **The token** is on no command line: the browser is given a private file that leads to the page.
- **Other machines** are let in by `--host` alone, with a token that somebody chose. Any address is then a
  name of ours (a name that is made to point here is never an address).

`page_data` turns predictions into the numbers that a page computes from, `page` writes the page: one file
that needs no server, or one that talks to `server`.
"""
