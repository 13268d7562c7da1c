// What the server has to say to people and models, in English and by code. Japanese: `japanese.ts`.
import { FINDINGS } from "./findings.ts";
import { SOURCE_FAILURES } from "./source-failures.ts";

/** Reasons why a file could not be added, where the error code alone is not enough. */
export const FILE_FAILURES = {
  empty: "The file is empty (0 bytes); add a file with content.",
  emptyArchive:
    "This archive has nothing to add: every file is hidden or of an unsupported format.",
  pdfDamaged:
    "The PDF is damaged, and none of its pages can be read. Get a new copy, or open it in a viewer and save it again.",
  pdfCutOff:
    "The PDF is damaged: its end is missing, and none of its pages can be read. Get a new copy, or open it in a viewer and save it again.",
  otherContent: "The file is named .{0}, but its content is not {1} or any other supported format.",
  officeDamaged: "The file is damaged: it is not a readable Office file.",
  pictureDamaged: "The picture is damaged and cannot be decoded.",
  pictureHeader: "The picture is damaged: its header cannot be read.",
  pictureSmall: "The picture is too small to contain text.",
  zipDamaged: "The file is not a readable ZIP archive, or it is damaged.",
  tooSlowForSize:
    "This file takes too long to read for its size: it was not done after {0} s of computing. It may be damaged. Save it again with the program that made it, or split it, and add that.",
  notJson: "The file is not valid JSON.",
} as const;

/** What is wrong with a value that somebody gave. */
const VALUE_FAULTS = {
  mustBe: "must be {0}",
  mustBeText: "must be text",
  mustBeNumber: "must be a number",
  mustBeWhole: "must be a whole number",
  mustBeBoolean: "must be true or false",
  mustBeList: "must be a list",
  mustBeObject: "must be an object",
  mustBeOneOf: "must be one of {0}",
  mustBeAtLeast: "must be at least {0}",
  mustBeAtMost: "must be at most {0}",
  charactersAtLeast: "must have at least {0} characters",
  charactersAtMost: "must have at most {0} characters",
  elementsAtLeast: "must have at least {0} elements",
  elementsAtMost: "must have at most {0} elements",
  hasNoKey: "has no {0}",
  typeUnsupported: "has an unsupported type",
} as const;

const SECRET = "Files that may contain keys or credentials are never added.";
const OUTSIDE =
  "The file is outside the folders that this server may read. Copy it into one of them, or start the server with --root FOLDER.";

const EMPTY =
  "This folder has nothing to add: every file is hidden, ignored (.gitignore, .knowledgeignore) or of an unsupported format.";

/** Why a path, folder or content is refused: what happened, then what to do. None names a path of this machine. */
const FILE_REFUSALS = {
  pathOutside: OUTSIDE,
  pathOutsideOf: `${OUTSIDE} Allowed: {0}.`,
  secretFile: SECRET,
  secretPlace: `This is a known location of {0}. ${SECRET}`,
  secretName: `This is a known file name for {0}. ${SECRET}`,
  secretContent:
    "The file contains what looks like {0}. Replace it with a placeholder (and revoke it if it is real), then add the file again.",
  fileHidden:
    "The file or its folder is hidden. Copy it to a folder that is not hidden, or start the server with --root and the hidden folder.",
  ownFile: "This file belongs to the server itself and is never added.",
  ownUnsure:
    "The server cannot look into its own folders, so it cannot tell whether this file is one of its own. Let the server's user read the data folder and all folders in it, then add the file again.",
  notRegular: "Only regular files can be added.",
  noSuchFile: "There is no such file. Check the path.",
  noSuchFileRelative: "There is no such file. Pass its absolute path.",
  fileDenied: "The server has no permission to read this file. Give its user read access.",
  fileChanging:
    "The file cannot be read at the moment: it or its folder is being changed, or its disk does not respond. Try again.",
  fileTooLargeToRead: "The file is larger than the operating system can read.",
  pathNul: "'file_path': a path cannot contain a NUL character.",
  pathNotLocal: "'file_path': this file: URL does not name a local file.",
  pathIsFolder: "'file_path': this is a folder; pass one file.",
  pathTooLong: "'file_path': this path is too long.",
  pathInvalid: "'file_path': this path is not valid on this operating system.",
  folderEmpty: EMPTY,
  folderEmptyBut: `${EMPTY} {0}.`,
} as const;

/** Values of the contract as words: how a document was read, and at which step a search lost one. */
export const WORDS = {
  text_extraction: "text",
  ocr: "OCR",
  image_analysis: "OCR of an image",
  mixed: "text and OCR",
  "not-indexed": "not in the index",
  "not-recalled": "found neither by words nor by meaning",
  "not-by-words": "not found by words, and ranked too low",
  "not-by-meaning": "not found by meaning, and ranked too low",
  "ranked-below": "ranked too low",
  "left-out-as-weak": "left out as weak",
  gone: "the document is gone",
} as const;

export const ENGLISH = {
  /** A sentence without a code, such as the message of an unforeseen failure. */
  stated: "{0}",
  modelUnsupported:
    "The documents do not support what {0} said, so the answer quotes them instead.",
  modelSlow: "The answer quotes the documents, because {0} took too long.",
  modelFailed: "The answer quotes the documents, because {0} failed.",
  stillReading:
    "Documents still being read, and not searched yet: {0}. Ask again when they are done.",
  readByOcr:
    "Read by OCR from a scan or picture: letters and digits may be wrong. Check the original.",
  oneStale: "1 document is waiting to be embedded again; search finds it as it was",
  stale: "{0} documents are waiting to be embedded again; search finds them as they were",
  queueBlocked:
    "Adds have waited for {0} s: all workers are busy with {1}. Wait, or cancel one with `knowledge-server tasks --cancel`",
  lightMeanwhile: "Embedding model unavailable; search uses the light encoder meanwhile: {0}",
  wordsOnly: "Embedding model unavailable; search is by keyword only: {0}",
  auditRefuses:
    "The audit log cannot be written, so changes are refused; check --audit-file and its disk",
  auditDegraded:
    "The audit log cannot be written, so changes are not recorded; check --audit-file and its disk",
  tokensMissing:
    "The token file is missing or empty, so none of its tokens is accepted; check --token-file",
  tokensUnusable:
    "The token file cannot be used, so none of its tokens is accepted; `knowledge-server doctor` shows why",
  tokensPartly:
    "{0} of {1} entries in the token file cannot be used and are ignored; `knowledge-server doctor` shows which",
  scopesNamed:
    "Scope files name their own scopes, so --scope, --tier and --parent do not apply to them.",
  oneLeftOut: "1 Markdown file of the project is left out; --guides includes it.",
  leftOut: "{0} Markdown files of the project are left out; --guides includes them.",
  // Problems of a store, as its health reports them.
  readOnly: "The data folder cannot be written to: searching works, adding does not.",
  notWritable:
    "The database cannot be written to: searching works, adding does not. Give the server's user write access to the data folder.",
  littleSpace:
    "Only {0} MB are free on the disk that holds the data folder: adding may fail. Free some space.",
  noResponse: "The database did not respond in time. Check the disk that holds the data folder.",
  storageDenied: "Storage directory not accessible: Permission denied",
  storageMissing: "Storage directory not accessible: No such folder",
  storageNoFolder: "Storage directory not accessible: Not a folder",
  storageFull: "Storage directory not accessible: The disk is full",
  storageQuota: "Storage directory not accessible: The disk quota is used up",
  storageFailed: "Storage directory not accessible: The disk reports an error",
  moved:
    "The database in the data folder is no longer the one that this server opened: the folder or knowledge.db was moved, deleted or replaced while the server was running. The server writes nothing meanwhile. Put the data folder back, or restart the server to use what is there now.",
  originalsOfOther:
    "The folder of original files belongs to a different database, probably because knowledge.db was lost. No file in it is removed. Put the database back, restore a backup, or run `knowledge-server repair --force` to add these files again.",
  originalsMissing:
    "The folder of original files is missing from the data folder, so nothing can be added; searching works. Put it back; if it is lost, create an empty folder named originals in its place.",
  originalsOfNone:
    "{0} of {1} original files belong to no document, probably because an old copy of knowledge.db was put back. No file is removed. Put the newer database back, restore a newer backup, or run `knowledge-server repair --force` to add these files again.",
  rowsOfNone:
    "{0} of {1} original files belong to no document, probably because part of the database was lost. No file is removed. Restore a backup of the database; if these files are not needed, delete them from knowledge.originals by hand.",
  oneTaskSetAside:
    "1 task cannot be read and was set aside; its file is kept. Add the file again, then run `knowledge-server tasks --cancel {0}`.",
  tasksSetAside:
    "{0} tasks cannot be read and were set aside; their files are kept. Add a file again, then run `knowledge-server tasks --cancel {1}`.",
  replicasUnusable:
    "{0} of {1} read replicas cannot be used, so the primary answers. Check --database-read-url, and that they follow this database.",
  bucketAway: "The bucket with the original files cannot be used. {0}",
  databaseAway:
    "The database cannot be reached at the moment. Try again shortly; nothing acknowledged is lost.",
  databaseDamaged: "The database reports damaged data. Restore it from a backup.",
  databaseFull: "The database server's disk is full. Free space there, then try again.",
  databasePassword: "The database refused the user or password. Check the database URL.",
  databaseUser:
    "The database refused this user. Check the database URL and the server's access rules.",
  databaseMissing: "The database that the URL names does not exist. Create it, or correct the URL.",
  databaseRights:
    "The database user lacks a right that the server needs; docs/operations.md lists the rights.",
  databaseSlow: "The database took too long to respond and the query was stopped. Try again.",
  databaseMemory: "The database server is out of memory. Try again later.",
  databaseReading: "The database is read-only at the moment. Try again shortly.",
  databaseDisk:
    "The database server reports a problem with its disk or its files. Check the database server's log and disk, then try again.",
  folderOfOther:
    "The tables in this data folder are not those of this program's version: a development version made them. Open it with that one, or choose an empty folder with --data-dir and add the files again; copies of them are in its folder originals.",
  databaseOfOther:
    "The database's tables are not those of this program's version: a development version made them. Use that one, or an empty database, and add the files again.",
  databaseTables:
    "The database lacks something that the server created in it; another program may have removed it. Restart the server, or restore a backup of the database.",
  databaseValue:
    "The database cannot take a value, because it is too long or malformed. Try a shorter path, name or text; the server's log has the database's error code.",
  databaseRefused:
    "The database refused a statement. Try again; if it recurs, check the database server's log. This server's log has the error code.",
  databasePooled:
    "The database is behind a connection pooler that gives each transaction another session (PgBouncer: pool_mode = transaction or statement), which this program cannot work with. Set the pooler to session mode, or connect to the database directly.",
  databasePooler:
    "The connection pooler in front of the database refuses this program's connection settings. For PgBouncer: ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout, jit, hnsw.ef_search, hnsw.iterative_scan. Or connect to the database directly.",
  databaseUntrusted:
    "The database's certificate is not trusted. Set NODE_EXTRA_CA_CERTS to its CA, or use the host name that the certificate is for.",
  // Warnings about a document that was read, but not as one would expect.
  hiddenOnPages:
    "Text that people cannot see is kept out of search and answers ({0} found). Pages: {1}.",
  hiddenOnSlides:
    "Text that people cannot see is kept out of search and answers ({0} found). Slides: {1}.",
  hiddenInSheets:
    "Text that people cannot see is kept out of search and answers ({0} found). Sheets: {1}.",
  hiddenInDocument: "Text that people cannot see is kept out of search and answers ({0} found).",
  disguisedWords: "Words are split by invisible characters, or shown reversed ({0} found).",
  chapterMissing: "A chapter that the e-book lists is missing.",
  firstAttachments: "Only the first {0} attachments were read.",
  attachmentNotRead: 'The attachment "{0}" was not read: {1}',
  noTextInPicture: "No text was recognised in the image.",
  pictureUnsure: "The text was recognised with low confidence ({0}%); check it against the image.",
  firstRows: "Only the first {0} of {1} rows were read.",
  pdfPartlyRead: "The PDF is damaged. Pages that could still be read: {0}.",
  pdfCutOffPartlyRead:
    "The PDF is damaged: its end is missing. Pages that could still be read: {0}.",
  pageDamaged: "Page {0} is damaged and was left out.",
  firstPages: "Only the first {0} of {1} pages were read.",
  pageWithoutText: "No text was found on page {0}.",
  pageUnsure: "Page {0} was recognised with low confidence ({1}%).",
  ocrNotForFormat: "force_ocr does not apply to {0}: its text was read as it is.",
  moreWarnings: "More warnings are not shown: {0}.",
  otherName: "The file is named .{0}, but it is {1} and was read as that.",
  metadataUnreadable:
    "This document's metadata is damaged and not shown; it stays in the database. Add the file again with its metadata.",
  // The steps of an add, as `current_step` shows them.
  queued: "Queued",
  reading: "Reading",
  extracting: "Extracting text",
  page: "Processing page {0} of {1}",
  slide: "Processing slide {0} of {1}",
  sheet: "Processing sheet {0} of {1}",
  embedding: "Generating embeddings",
  indexing: "Indexing",
  completed: "Completed",
  lookingForFiles: "Looking for files",
  fileDone: "Done",
  /** Followed by the step of this file. */
  file: "{0} of {1} files · {2}",
  ...FILE_FAILURES,
  ...VALUE_FAULTS,
  ...FILE_REFUSALS,
  ...SOURCE_FAILURES,
  ...FINDINGS,
  ...WORDS,
} as const;
