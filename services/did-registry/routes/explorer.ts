import { keccak_256 } from '@noble/hashes/sha3.js'
import { z } from 'zod'
import { toHex } from '#core/ethereum/account.ts'
import { defineRoute } from '#kit/define-route.ts'
import { describeLogs, zChainEvent } from '#kit/event-index.ts'
import { pageOf, pageOfList, pageOfReversedList, pageQuery, replyPage } from '#kit/lists.ts'
import type { Dependencies } from '../dependencies.ts'
import { decodeRegistryEvent } from '../domain/create-receipt.ts'
import { exampleEvent, exampleKey } from '../domain/examples.ts'
import { requireEnvironment } from '../domain/z-fields.ts'
import { commonErrors, errorCodes, notRegistered, refuseInput } from '../errors.ts'

/** The events of the registry, the latest first: an addition to the profile, for explorers. */
export const exploreEvents = defineRoute<Dependencies>()({
  method: 'get',
  path: '/api/v1/explorer/events',
  summary: 'List the events of the registry',
  description: 'Every event of the contract, including those of onboarding nodes, newest first.',
  tags: ['Explorer'],
  auth: 'none',
  cacheable: true,
  request: { query: z.object(pageQuery) },
  responses: {
    200: {
      description: 'A page of events',
      body: pageOf(zChainEvent),
      example: { page: 1, pageSize: 10, total: 1, howMany: 1, items: [exampleEvent] },
    },
  },
  errors: commonErrors,
  invalidInput: refuseInput,
  async handle({ query }, { events }) {
    const logs = await events.logs()
    const total = logs.length
    const shown = pageOfReversedList(logs, query)
    const items = await describeLogs(shown, { events, decode: decodeRegistryEvent })
    return replyPage(query, total, items)
  },
})

/** The events of a DID, the registration first: an addition to the profile, for explorers. */
export const exploreIdentifier = defineRoute<Dependencies>()({
  method: 'get',
  path: '/api/v1/explorer/identifiers/:identifier/events',
  summary: 'List the events of a DID',
  description: 'Every event of the contract that is about the DID, oldest first.',
  tags: ['Explorer'],
  auth: 'none',
  cacheable: true,
  request: {
    params: z.object({
      identifier: z.string().describe('A full DID').meta({ example: exampleKey.did }),
    }),
    query: z.object(pageQuery),
  },
  responses: {
    200: {
      description: 'A page of events',
      body: pageOf(zChainEvent),
      example: { page: 1, pageSize: 10, total: 1, howMany: 1, items: [exampleEvent] },
    },
  },
  errors: [...commonErrors, errorCodes.notFound],
  invalidInput: refuseInput,
  async handle({ params, query }, { environment, events }) {
    const did = params.identifier
    requireEnvironment(did, environment, 'identifier')
    const logs = await events.logsOf(toHex(keccak_256(Buffer.from(did))))
    const total = logs.length
    if (total === 0) throw notRegistered(did)
    const items = await describeLogs(pageOfList(logs, query), {
      events,
      decode: decodeRegistryEvent,
    })
    return replyPage(query, total, items)
  },
})
