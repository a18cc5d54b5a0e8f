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

/** JSON documents of the peer, by kind and id. */
export interface PeerStore {
  put(kind: string, id: string, document: object): void
  find<T>(kind: string, id: string): T | undefined
}

export function openSqliteStore(path: string): PeerStore {
  const database = openPeerDatabase(path)
  database.exec(
    'CREATE TABLE documents (kind TEXT, id TEXT, json TEXT NOT NULL, PRIMARY KEY (kind, id))',
  )
  const put = database.prepare('INSERT OR REPLACE INTO documents VALUES (?, ?, ?)')
  const find = database.prepare('SELECT json FROM documents WHERE kind = ? AND id = ?')
  return {
    put: (kind, id, document) => put.run(kind, id, JSON.stringify(document)),
    find<T>(kind: string, id: string) {
      const row = find.get(kind, id)
      return row && (JSON.parse(String(row.json)) as T)
    },
  }
}

/** Of the lean peer: nothing survives the process. */
export function createMemoryStore(): PeerStore {
  const documents = new Map<string, object>()
  return {
    put: (kind, id, document) => documents.set(`${kind} ${id}`, document),
    find: <T>(kind: string, id: string) => documents.get(`${kind} ${id}`) as T | undefined,
  }
}
