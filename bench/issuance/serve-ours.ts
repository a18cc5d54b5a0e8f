// A process with our own issuer and connector, as in a testbed: on HTTP, state in SQLite files.
import { mkdtempSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { createLog } from '#kit/log.ts'
import { createRuntime } from '#kit/runtime.ts'
import { createConnectorService } from '#services/connector/create-connector-service.ts'
import { createIssuerService } from '#services/issuer/create-issuer-service.ts'
import { listen } from '#testbed/process/listen.ts'
import { benchIssuer, benchMandate } from './bench-issuer.ts'

const folder = mkdtempSync(join(tmpdir(), 'bench-issuance-'))
const runtime = createRuntime({ log: createLog({ level: 'silent' }) })
const listeners = {
  issuer: await listen('127.0.0.1', 0, 'the issuer'),
  connector: await listen('127.0.0.1', 0, 'the connector'),
  offers: await listen('127.0.0.1', 0, 'the offers'),
}
const issuerUrl = `http://127.0.0.1:${listeners.issuer.port}`
const connectorUrl = `http://127.0.0.1:${listeners.connector.port}`
const keys = { issuer: 'issuer-api-key-of-the-bench', connector: 'connector-api-key-of-the-bench' }

const connector = await createConnectorService(
  {
    ...benchIssuer,
    baseUrl: connectorUrl,
    credentialIssuerUrl: issuerUrl,
    databaseUrl: `sqlite:${folder}/connector.sqlite`,
    apiKeys: [keys.connector],
    issuerUrl,
    issuerApiKey: keys.issuer,
  },
  runtime,
)
const issuer = await createIssuerService(
  {
    issuerDid: benchIssuer.issuerDid,
    issuerPrivateKey: benchIssuer.issuerPrivateKey,
    issuerVMethodId: benchIssuer.issuerVMethodId,
    baseUrl: issuerUrl,
    walletEndpointsUrl: connectorUrl,
    databaseUrl: `sqlite:${folder}/issuer.sqlite`,
    apiKeys: [keys.issuer],
    jwksUri: `${issuerUrl}/jwks`,
    managementApiUrl: issuerUrl,
    connectorProfiles: [{ name: 'default', url: connectorUrl, apiKey: keys.connector }],
    smtpUrl: 'smtp://127.0.0.1:9',
  },
  runtime,
)

/** Reports to the measuring process which issuance the issuer has just recorded. */
const issuerApp: RequestListener = (request, response) => {
  if (request.url === '/issuance/notifications') {
    response.once('finish', () => {
      const { body } = request as { body?: { subject_id?: unknown } }
      if (response.statusCode === 200) process.send?.({ recorded: body?.subject_id })
    })
  }
  issuer.app(request, response)
}

const offers = express()
offers.post('/offers', async (_request, response) => {
  const { offerUri, subjectId } = await issuer.createOffer({ mandate: benchMandate })
  response.json({ offer_uri: offerUri, subject_id: subjectId })
})
listeners.issuer.serve(issuerApp)
listeners.connector.serve(connector.app)
listeners.offers.serve(offers)

process.on('disconnect', async () => {
  for (const { close } of Object.values(listeners)) await close()
  await Promise.all([connector.close(), issuer.close()])
  rmSync(folder, { recursive: true })
  process.exit(0)
})
process.send?.({ offersUrl: `http://127.0.0.1:${listeners.offers.port}`, issuerUrl })
