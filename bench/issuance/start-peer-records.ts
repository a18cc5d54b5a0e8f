import { randomUUID } from 'node:crypto'
import express from 'express'
import { createHttpClient } from '#kit/create-http-client.ts'
import { createLog } from '#kit/log.ts'
import { createRuntime } from '#kit/runtime.ts'
import { openSqlite } from '#kit/sqlite-database.ts'
import { listen } from '#testbed/listen.ts'
import { benchMandate } from './bench-issuer.ts'

interface Claims {
  readonly credential_id: string
  readonly claims: { readonly mandate: typeof benchMandate }
}

export interface PeerRecords {
  readonly url: string
  /** Asks the issuer, or tells it; the answer of /issuance/claims. */
  post(path: string, json: object): Promise<Claims>
  close(): Promise<void>
}

const apiKey = 'issuer-api-key-of-the-bench'

/**
 * The issuer behind the peer, plain Express: it keeps the records, orders offers, knows the claims,
 * and is told of each delivery, as document 1 has it between issuer and connector.
 */
export async function startPeerRecords(
  databasePath: string,
  connectorUrl: string,
): Promise<PeerRecords> {
  const listener = await listen('127.0.0.1', 0, 'the records of the peer')
  const url = `http://127.0.0.1:${listener.port}`
  const runtime = createRuntime({ log: createLog({ level: 'silent' }) })
  const clientTo = (dependency: string, baseUrl: string) =>
    createHttpClient(runtime, {
      caller: 'bench',
      dependency,
      baseUrl,
      headers: { 'x-api-key': apiKey },
    })
  const connector = clientTo('connector', connectorUrl)
  const own = clientTo('issuer', url)

  const database = openSqlite(databasePath)
  database
    .prepare(
      `create table records (subject_id text primary key, credential_id text not null unique,
        status text not null, mandate text not null, created_at integer not null)`,
    )
    .run([])
  const insert = database.prepare(
    `insert into records (subject_id, credential_id, status, mandate, created_at)
      values (?, ?, 'pending', ?, ?)`,
  )
  const find = database.prepare('select * from records where subject_id = ?')
  const confirm = database.prepare(`update records set status = 'issued' where subject_id = ?`)

  const app = express()
  app.use(express.json())
  app.use('/issuance', (request, response, next) => {
    if (request.get('x-api-key') === apiKey) next()
    else response.status(401).end()
  })
  app.post('/offers', async (_request, response) => {
    const subject_id = randomUUID()
    const mandate = JSON.stringify(benchMandate)
    insert.run([subject_id, `urn:uuid:${randomUUID()}`, mandate, Date.now()])
    const { json } = await connector.postJson('/offers', { subject_id })
    response.json({ ...(json as object), subject_id })
  })
  app.post('/issuance/claims', (request, response) => {
    const [record] = find.all([request.body.subject_id]) as {
      credential_id: string
      mandate: string
    }[]
    if (!record) return response.status(404).end()
    const { credential_id, mandate } = record
    return response.json({ credential_id, claims: { mandate: JSON.parse(mandate) } })
  })
  app.post('/issuance/notifications', (request, response) => {
    const { subject_id } = request.body
    confirm.run([subject_id])
    response.once('finish', () => process.send?.({ recorded: subject_id }))
    response.json({ message: 'taken' })
  })
  listener.serve(app)

  return {
    url,
    async post(path, json) {
      return (await own.postJson(path, json)).json as Claims
    },
    async close() {
      await listener.close()
      database.close()
    },
  }
}
