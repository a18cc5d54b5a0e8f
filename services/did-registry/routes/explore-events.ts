import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { describeLogs, zChainEvent } from '#kit/event-index.ts'
import { pageOf, pageOfList, pageQuery, replyPage } from '#kit/lists.ts'
import type { DidRegistryDependencies } from '../dependencies.ts'
import { decodeRegistryEvent } from '../domain/decode-registry-event.ts'
import { exampleEvent } from '../domain/examples.ts'
import { commonErrors, refuseInput } from '../errors.ts'

/** What happened in the registry, the latest first: beyond document 2, for explorers. */
export const exploreEvents = defineRoute<DidRegistryDependencies>()({
  method: 'get',
  path: '/api/v1/explorer/events',
  summary: 'List what happened in the registry',
  description: 'Every event of the contract, those of onboarding nodes too, newest first.',
  tags: ['Explorer'],
  auth: 'none',
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
    const shown = pageOfList([...logs].reverse(), query)
    const items = await describeLogs(shown, { events, decode: decodeRegistryEvent })
    return replyPage(query, logs.length, items)
  },
})
