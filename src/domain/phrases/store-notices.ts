// Problems of a store, as its health reports them.

export const STORE_NOTICES = {
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
} as const;
