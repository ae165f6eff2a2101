"""Results of earlier runs, kept in ``.picklefix_cache`` and used as long as nothing they depend on has changed.

Why a result from here is the one that a run without a cache would give:

* It was made by the same version of picklefix, under the same version of Python, with the same options
  (:mod:`codemods.cache.key`).
* A file that was sorted out by its own text depends on that text, and on names that its imports would find if the
  project defined them. Both are compared: a content hash, and the names that the project has beside the file now. That
  a name goes away, which was there, can only take a reason to look at the file.
* Every other result counts as depending on all files of the project: it is used only if these are the same files, with
  the same content hashes. That holds whatever the analysis looked at and whatever it remembers between files.
* What a file holds is read, unless its size, inode and both of its times are those under which it was hashed. A file
  that was written so shortly before that a further change might leave the same times (``files.STEP``) is read again.
* A result is kept only if the files it depends on are, at the end of the run, what they were when it began.

Runs do not disturb one another: documents are replaced as a whole, the last one wins, and any is as good as another.
What cannot be read, or is not as it should be, counts as not there. The documents are JSON: nothing in them is run.
"""
