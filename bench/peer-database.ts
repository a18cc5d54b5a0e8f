import { DatabaseSync } from 'node:sqlite'

/**
 * A database file of a peer, with the durability of our databases: write-ahead log, no fsync at
 * each commit.
 */
export function openPeerDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = WAL')
  database.exec('PRAGMA synchronous = NORMAL')
  database.exec('PRAGMA wal_autocheckpoint = 4000')
  return database
}
