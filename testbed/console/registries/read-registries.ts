import type { z } from 'zod'
import type { DidDocument } from '#core/did/did-document.ts'
import { readAccreditationBody } from '#core/trust/accreditation.ts'
import { createHttpClient } from '#kit/create-http-client.ts'
import { type ChainEvent, zChainEvent } from '#kit/event-index.ts'
import { pageOf } from '#kit/lists.ts'
import type { Runtime } from '#kit/runtime.ts'
import { zIssuerNode } from '#services/tir/domain/issuers.ts'
import { openDidRegistry, openTir } from '#testbed/registries/write-registries.ts'
import { localTirBaseUrlOf } from '#testbed/services/environment-context.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'

/** Items on a page of a list. */
export const shownItems = 50
/** Items that the registries return at most. */
const largestPage = 100

const zEvents = pageOf(zChainEvent)
const zTree = pageOf(zIssuerNode)

export type EventPage = z.infer<typeof zEvents>
export type IssuerPage = z.infer<typeof zTree>

/** A document, or null if the DID was not registered at that time. */
interface DocumentAnswer {
  /** Method and path of the request. */
  readonly request: string
  readonly document: DidDocument | null
}

/** Data of the registries' explorers; undefined if they have none or do not answer. */
export interface RegistriesReader {
  /** Events of the DID registry, newest first. */
  events(page: number): Promise<EventPage | undefined>
  /** All events of a DID, oldest first. */
  eventsOf(did: string): Promise<readonly ChainEvent[] | undefined>
  /**
   * The answer of the DID registry to valid-at (Unix seconds).
   * @throws TestbedError `dependency_unavailable`
   */
  documentAt(did: string, validAt: number): Promise<DocumentAnswer>
  /** When each accreditation ends in Unix seconds, by its attribute id, as far as it says so. */
  expiries(issuers: IssuerPage): Promise<ReadonlyMap<string, number>>
  /** The accreditations, depth first. */
  issuers(page: number): Promise<IssuerPage | undefined>
}

/** Reads the registries of an environment through their public HTTP interfaces. */
export function createRegistriesReader(
  runtime: Runtime,
  { context }: RunningEnvironment,
): RegistriesReader {
  const reader = (dependency: string, baseUrl: string) => {
    const client = createHttpClient(runtime, { caller: 'console', dependency, baseUrl })
    return async <Schema extends z.ZodType>(
      schema: Schema,
      path: string,
      page: number,
      size = shownItems,
    ) => {
      const query = new URLSearchParams({ page: String(page), pageSize: String(size) })
      const answer = await client.getJson(`${path}?${query}`).catch(() => undefined)
      return answer?.status === 200 ? schema.safeParse(answer.json).data : undefined
    }
  }
  const documents = openDidRegistry(runtime, {
    caller: 'console',
    baseUrl: context.localUrls['did-registry'],
  })
  const attributes = openTir(runtime, { caller: 'console', baseUrl: localTirBaseUrlOf(context) })
  const didRegistry = reader('DID registry', context.localUrls['did-registry'])
  const tir = reader('TIR', localTirBaseUrlOf(context))
  const explorer = '/api/v1/explorer'
  return {
    events: (page) => didRegistry(zEvents, `${explorer}/events`, page),
    async eventsOf(did) {
      const path = `${explorer}/identifiers/${encodeURIComponent(did)}/events`
      const events: ChainEvent[] = []
      for (let page = 1; ; page++) {
        const found = await didRegistry(zEvents, path, page, largestPage)
        if (found === undefined) return undefined
        events.push(...found.items)
        if (found.items.length === 0 || events.length >= found.total) return events
      }
    },
    async documentAt(did, validAt) {
      const request = `GET /api/v1/identifiers/${encodeURIComponent(did)}?valid-at=${validAt}`
      return { request, document: (await documents.resolve(did, validAt)) ?? null }
    },
    async expiries({ items }) {
      const read = items.map(async ({ did, attributeId }): Promise<[string, number][]> => {
        const found = await attributes.readAttribute(did, attributeId).catch(() => undefined)
        const end = readAccreditationBody(found?.attribute.body ?? '')?.payload.exp
        return typeof end === 'number' ? [[attributeId, end]] : []
      })
      return new Map((await Promise.all(read)).flat())
    },
    issuers: (page) => tir(zTree, '/v1/explorer/issuers', page),
  }
}
