// What keeps a store from working as it should, as its health reports it.

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
    "The database in the data folder is no longer the one that this server opened: the folder or knowledge.db was moved, deleted or replaced while the server was running. Nothing is written until it is back. Put the data folder back, or restart the server to use what is there now.",
  originalsOfOther:
    "The folder of original files belongs to another database than knowledge.db, as after knowledge.db was lost. No file in it is removed. Put the database back or restore a backup; or run `knowledge-server repair --force`, which adds these files again.",
  originalsMissing:
    "The folder of original files is missing from the data folder, so nothing can be added; searching works. Put it back; if it is lost, create an empty folder named originals in its place.",
  originalsOfNone:
    "{0} of {1} original files are in no document, as after an old copy of knowledge.db was put back. No file is removed. Put the newer database back or restore a newer backup; or run `knowledge-server repair --force`, which adds these files again.",
  oneTaskSetAside:
    "1 task cannot be read and was set aside, with the file kept: add the file again, then run `knowledge-server tasks --cancel {0}`.",
  tasksSetAside:
    "{0} tasks cannot be read and were set aside, with the file kept: add the file again, then run `knowledge-server tasks --cancel {1}`.",
  rowsSetAside:
    "The upgrade found rows that belonged to nothing and set them aside: {0}. They are in the table knowledge.set_aside; put back what you need, then delete them there.",
  databaseAway:
    "The database cannot be reached at the moment. Try again shortly; nothing that was acknowledged is lost.",
  databaseDamaged: "The database reports damaged data. Restore it from a backup.",
  databaseFull: "The database server's disk is full. Free space there, then try again.",
  databasePassword: "The database refused the user or password. Check the database URL.",
  databaseUser:
    "The database refused this user. Check the database URL and the server's access rules.",
  databaseMissing: "The database that the URL names does not exist. Create it, or correct the URL.",
  databaseRights:
    "The database user lacks a right that the server needs; docs/operations.md lists the least rights.",
  databaseSlow: "The database took too long to respond and the query was stopped. Try again.",
  databaseMemory: "The database server is out of memory. Try again later.",
  databaseReading: "The database only allows reading at the moment. Try again in a moment.",
  databaseDisk:
    "The database server reports an error of its disk or its files. Check the database server's log and disk, then try again.",
  databaseTables:
    "The database lacks something that the server created in it, as after a change from outside. Restart the server, or restore a backup of the database.",
  databaseValue:
    "The database cannot take a value, because it is too long or of a wrong form. The server's log has the database's error code; try a shorter path, name or text.",
  databaseRefused:
    "The database refused a statement. The server's log has the database's error code; try again, and look at the database server's log if it recurs.",
  databaseUntrusted:
    "The database's certificate is not trusted. Name its CA in NODE_EXTRA_CA_CERTS, or use the host name that the certificate is for.",
} as const;
