import { beforeAll, describe, expect, it } from 'vitest'
import { fc, seed } from '#test/support/fast-check.ts'
import { createAnswerCheck } from '#test/support/open-api.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'
import { arbitraryRequests, type FuzzRequest, type OpenApiDocument } from './arbitrary-request.ts'

// FUZZ_SEED sends other requests, FUZZ_RUNS more of them.
const numRuns = Number(process.env.FUZZ_RUNS ?? 12)
const slowestMilliseconds = 30_000

beforeAll(() => console.log(`FUZZ_SEED=${seed} FUZZ_RUNS=${numRuns}`))
const shared = shareTestbed()

/** Each documented part of a testbed, and the API key that opens it; the control interface comes last. */
const parts = {
  'DID registry': 'tir',
  TIR: 'tir',
  'API keys': 'operator',
  'management API': 'issuer',
  connector: 'issuer',
  issuer: 'issuer',
  verifier: 'idp',
  IDP: 'idp',
  'token issuer': 'idp',
  'mail (inbox and API)': 'issuer',
  console: 'operator',
} as const

const documented = () => shared.testbed.addresses.filter(({ docsUrl }) => docsUrl !== undefined)

async function credentialsFor(part: keyof typeof parts): Promise<Record<string, string>> {
  const { pre, file, control } = shared
  const { body } = await control('/pre/bearer-tokens', {
    json: { organization_identifier: pre.organizations[0]?.organizationIdentifier },
  })
  return {
    authorization: `Bearer ${part === 'console' ? file.control.token : body.access_token}`,
    'x-api-key': pre.apiKeys[parts[part]] ?? '',
  }
}

async function send(origin: string, { method, path, headers, body }: FuzzRequest) {
  const response = await fetch(origin + path, {
    method,
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(slowestMilliseconds),
    ...(body === undefined || method === 'GET' ? {} : { body }),
  })
  // An event stream ends when its reader leaves.
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (isStream) await response.body?.cancel()
  const contentType = response.headers.get('content-type') ?? undefined
  return { status: response.status, contentType, text: isStream ? '' : await response.text() }
}

/** Sends every operation of a document its share of requests; what is wrong with the answers. */
async function fuzz(documentUrl: string, credentials: Record<string, string>): Promise<string[]> {
  const document = (await (await fetch(documentUrl)).json()) as OpenApiDocument
  const check = createAnswerCheck(document as never)
  const origin = document.servers?.[0]?.url ?? new URL(documentUrl).origin
  const problems: string[] = []
  for (const { name, request } of arbitraryRequests(document, credentials)) {
    const property = fc.asyncProperty(request, async (given) => {
      const { status, text, contentType } = await send(origin, given)
      if (status >= 500) throw new Error(`${status} ${text.slice(0, 300)}`)
      const body = contentType?.split(';')[0]?.endsWith('json') ? JSON.parse(text) : text
      const { method, path } = given
      const undocumented = check({ method, url: path, status, contentType, body })
      if (undocumented.length > 0) throw new Error(undocumented.join('; '))
      if (/node_modules|\n\s+at .*:\d+/.test(text)) throw new Error(`shows a stack: ${text}`)
    })
    const result = await fc.check(property, { numRuns, endOnFailure: true })
    if (result.failed) {
      problems.push(`${name}: ${result.errorInstance} for ${JSON.stringify(result.counterexample)}`)
    }
  }
  return problems
}

describe(`requests made from the OpenAPI documents, FUZZ_SEED=${seed}`, () => {
  it('are sent to every part that has a document', () => {
    expect(documented().map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(parts)))
    expect(documented()).toHaveLength(Object.keys(parts).length)
  })

  it.each(Object.keys(parts) as (keyof typeof parts)[])(
    'are answered as documented, without a 5xx, a stack trace or a timeout, by: %s',
    async (part) => {
      const address = documented().find(({ name }) => name === part)
      const credentials = await credentialsFor(part)
      expect(await fuzz(`${address?.docsUrl}/openapi.json`, credentials)).toEqual([])
    },
    120_000,
  )

  it('leave every part healthy', async () => {
    const { body } = await shared.control('/pre/faults')
    for (const { name } of body.faults) {
      await shared.control(`/pre/faults/${name}`, { method: 'DELETE' })
    }
    for (const { healthUrl, name } of shared.testbed.addresses) {
      if (healthUrl !== undefined)
        expect([name, (await fetch(healthUrl)).status]).toEqual([name, 200])
    }
  })
})
