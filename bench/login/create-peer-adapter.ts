import { DatabaseSync } from 'node:sqlite'
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'

/** oidc-provider's storage in SQLite in the plainest way, with every statement prepared once. */
export function createPeerAdapter(path: string): AdapterFactory {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  database.exec(`CREATE TABLE artifacts (
    model TEXT, id TEXT, payload TEXT, uid TEXT, grant_id TEXT, consumed INTEGER,
    PRIMARY KEY (model, id))`)
  database.exec('CREATE INDEX by_uid ON artifacts (model, uid)')
  database.exec('CREATE INDEX by_grant ON artifacts (grant_id)')
  const upsert = database.prepare('INSERT OR REPLACE INTO artifacts VALUES (?, ?, ?, ?, ?, NULL)')
  const byId = database.prepare('SELECT * FROM artifacts WHERE model = ? AND id = ?')
  const byUid = database.prepare('SELECT * FROM artifacts WHERE model = ? AND uid = ?')
  const consume = database.prepare('UPDATE artifacts SET consumed = ? WHERE model = ? AND id = ?')
  const destroy = database.prepare('DELETE FROM artifacts WHERE model = ? AND id = ?')
  const revoke = database.prepare('DELETE FROM artifacts WHERE grant_id = ?')
  const read = (row: ReturnType<typeof byId.get>): AdapterPayload | undefined =>
    row && { ...JSON.parse(String(row.payload)), ...(row.consumed ? { consumed: true } : {}) }

  return (model): Adapter => ({
    async upsert(id, payload) {
      const { uid = null, grantId = null } = payload
      upsert.run(model, id, JSON.stringify(payload), uid, grantId)
    },
    find: async (id) => read(byId.get(model, id)),
    findByUid: async (uid) => read(byUid.get(model, uid)),
    findByUserCode: async () => undefined,
    async consume(id) {
      consume.run(Math.floor(Date.now() / 1000), model, id)
    },
    async destroy(id) {
      destroy.run(model, id)
    },
    async revokeByGrantId(grantId) {
      revoke.run(grantId)
    },
  })
}
