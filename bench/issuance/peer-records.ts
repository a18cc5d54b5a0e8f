import { randomUUID } from 'node:crypto'
import express from 'express'
import { listen } from '#testbed/process/listen.ts'
import { openPeerDatabase } from '../peer-database.ts'
import { benchMandate } from './bench-issuer.ts'

interface Claims {
  readonly credential_id: string
  readonly claims: { readonly mandate: typeof benchMandate }
}

export interface PeerRecords {
  readonly url: string
  /** Calls the issuer; the answer of /issuance/claims. */
  post(path: string, json: object): Promise<Claims>
  close(): Promise<void>
}

const apiKey = 'issuer-api-key-of-the-bench'

/**
 * The issuer behind the peer, plain Express: it keeps the records, orders offers, knows the claims,
 * and receives each delivery notification, as the profile describes between issuer and connector.
 * Wallets see its address only, so it forwards their requests.
 */
export async function startPeerRecords(
  databasePath: string,
  connectorUrl: string,
): Promise<PeerRecords> {
  const listener = await listen('127.0.0.1', 0, 'the records of the peer')
  const url = `http://127.0.0.1:${listener.port}`
  const send = async (address: string, json: object) => {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify(json),
    })
    if (!response.ok) throw new Error(`${address} answered ${response.status}`)
    return (await response.json()) as object
  }

  const database = openPeerDatabase(databasePath)
  database.exec(
    `create table records (subject_id text primary key, credential_id text not null unique,
      status text not null, mandate text not null, created_at integer not null)`,
  )
  const insert = database.prepare(
    `insert into records (subject_id, credential_id, status, mandate, created_at)
      values (?, ?, 'pending', ?, ?)`,
  )
  const find = database.prepare('select * from records where subject_id = ?')
  const confirm = database.prepare(`update records set status = 'issued' where subject_id = ?`)

  const app = express()
  app.post(
    ['/token', '/credential'],
    express.text({ type: () => true }),
    async (request, response) => {
      const { authorization, 'content-type': contentType = '' } = request.headers
      const answer = await fetch(connectorUrl + request.path, {
        method: 'POST',
        headers: { 'content-type': contentType, ...(authorization && { authorization }) },
        body: request.body,
      })
      response.status(answer.status).set('cache-control', 'no-store').type('json')
      response.send(await answer.text())
    },
  )
  app.use(express.json())
  app.use('/issuance', (request, response, next) => {
    if (request.get('x-api-key') === apiKey) next()
    else response.status(401).end()
  })
  app.post('/offers', async (_request, response) => {
    const subject_id = randomUUID()
    const mandate = JSON.stringify(benchMandate)
    insert.run(subject_id, `urn:uuid:${randomUUID()}`, mandate, Date.now())
    const made = await send(`${connectorUrl}/offers`, { subject_id })
    response.json({ ...made, subject_id })
  })
  app.post('/issuance/claims', (request, response) => {
    const record = find.get(request.body.subject_id) as
      | { credential_id: string; mandate: string }
      | undefined
    if (!record) return response.status(404).end()
    const { credential_id, mandate } = record
    return response.json({ credential_id, claims: { mandate: JSON.parse(mandate) } })
  })
  app.post('/issuance/notifications', (request, response) => {
    const { subject_id } = request.body
    confirm.run(subject_id)
    response.once('finish', () => process.send?.({ recorded: subject_id }))
    response.json({ message: 'taken' })
  })
  listener.serve(app)

  return {
    url,
    post: async (path, json) => (await send(`${url}${path}`, json)) as Claims,
    async close() {
      await listener.close()
      database.close()
    },
  }
}
