import { openPeerDatabase } from '../peer-database.ts'

interface PeerSession {
  readonly id: string
  readonly state: 'offered' | 'redeemed' | 'issued' | 'notified'
  readonly code: string
  readonly c_nonce: string
  readonly c_nonce_expires_at: number
  readonly expires_at: number
}

/** The issuances of the peer. Times are Unix seconds. */
export interface PeerSessions {
  insert(id: string, code: string, expiresAt: number): void
  find(id: string): PeerSession | undefined
  findByCode(code: string): PeerSession | undefined
  /** Returns whether the code was still unused. */
  redeem(id: string, cNonce: string, expiresAt: number): boolean
  /** Returns whether the nonce was still unused. */
  issue(id: string, cNonce: string, credential: string): boolean
  /** Sessions that are in the state issued after a crash must be reported to the issuer again. */
  settle(id: string): void
  close(): void
}

export function openSqliteSessions(path: string): PeerSessions {
  const database = openPeerDatabase(path)
  database.exec(
    `create table sessions (id text primary key, state text not null, code text not null unique,
      c_nonce text, c_nonce_expires_at integer, credential text, expires_at integer not null)`,
  )
  const insert = database.prepare(
    `insert into sessions (id, state, code, expires_at) values (?, 'offered', ?, ?)`,
  )
  const find = database.prepare('select * from sessions where id = ?')
  const findByCode = database.prepare('select * from sessions where code = ?')
  const redeem = database.prepare(
    `update sessions set state = 'redeemed', c_nonce = ?, c_nonce_expires_at = ?
      where id = ? and state = 'offered'`,
  )
  const issue = database.prepare(
    `update sessions set state = 'issued', credential = ?, c_nonce = null
      where id = ? and state = 'redeemed' and c_nonce = ?`,
  )
  const settle = database.prepare(`update sessions set state = 'notified' where id = ?`)
  return {
    insert: (id, code, expiresAt) => insert.run(id, code, expiresAt),
    find: (id) => find.get(id) as PeerSession | undefined,
    findByCode: (code) => findByCode.get(code) as PeerSession | undefined,
    redeem: (id, cNonce, expiresAt) => redeem.run(cNonce, expiresAt, id).changes === 1,
    issue: (id, cNonce, credential) => issue.run(credential, id, cNonce).changes === 1,
    settle: (id) => settle.run(id),
    close: () => database.close(),
  }
}

/** Of the lean peer: nothing survives the process. */
export function createMemorySessions(): PeerSessions {
  const sessions = new Map<string, PeerSession>()
  const codes = new Map<string, string>()
  const advance = (id: string, from: PeerSession['state'], changes: Partial<PeerSession>) => {
    const session = sessions.get(id)
    if (session?.state !== from) return false
    sessions.set(id, { ...session, ...changes })
    return true
  }
  return {
    insert(id, code, expires_at) {
      codes.set(code, id)
      sessions.set(id, {
        id,
        state: 'offered',
        code,
        c_nonce: '',
        c_nonce_expires_at: 0,
        expires_at,
      })
    },
    find: (id) => sessions.get(id),
    findByCode: (code) => sessions.get(codes.get(code) ?? ''),
    redeem: (id, c_nonce, c_nonce_expires_at) =>
      advance(id, 'offered', { state: 'redeemed', c_nonce, c_nonce_expires_at }),
    issue: (id, cNonce) =>
      sessions.get(id)?.c_nonce === cNonce && advance(id, 'redeemed', { state: 'issued' }),
    settle: (id) => advance(id, 'issued', { state: 'notified' }),
    close() {},
  }
}
