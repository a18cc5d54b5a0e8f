import { resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { defaultCredentialTypes, zCredentialTypes } from '#core/lear-credential/credential-type.ts'
import { createLog } from '#kit/log.ts'
import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { runScenarios } from '#scenarios/harness/run-scenarios.ts'
import { loadScenarios, selectScenarios } from '#scenarios/harness/select-scenarios.ts'
import type { Results } from '#scenarios/harness/z-results.ts'
import { writeReports } from '#scenarios/reports/write-reports.ts'
import type { OpenApiDocument } from '#test/support/open-api.ts'
import { type CheckAnswer, createAnswerCheck } from '#test/support/open-api.ts'
import { startTestbed } from '#testbed/start-testbed.ts'
import { readQrImage } from '#wallet-emulator/qr/read-qr-code.ts'

const runs = selectScenarios(await loadScenarios())
const reportFolder = resolve(import.meta.dirname, '../../reports/scenarios')

/** The parts with an OpenAPI document, by their names in the recorded exchanges. */
const documentedParts: Readonly<Record<string, string>> = {
  'DID registry': 'did-registry',
  TIR: 'tir',
  'API keys': 'api-keys',
  'management API': 'management',
  connector: 'connector',
  issuer: 'issuer',
  verifier: 'verifier',
  IDP: 'idp',
  'token issuer': 'token-issuer',
  'mail (inbox and API)': 'mail',
}

const checks = new Map<string, CheckAnswer>()
let results: Results
let resultsAgain: Results
let snapshotsLeft: unknown

/** A second type, so that offers of several credentials are among the scenarios. */
const credentialTypes = zCredentialTypes.parse([
  ...defaultCredentialTypes,
  { vcType: 'OrgSecondLearCredential' },
])

beforeAll(async () => {
  const log = createLog({ level: 'silent' })
  const testbed = await startTestbed({ log, issuance: { credentialTypes } })
  try {
    const { file, addresses } = testbed
    for (const { name, docsUrl } of addresses) {
      const part = documentedParts[name]
      if (part === undefined) continue
      const document = (await (await fetch(`${docsUrl}/openapi.json`)).json()) as OpenApiDocument
      checks.set(part, createAnswerCheck(document))
    }
    const executablePath = process.env.PUPPETEER_EXECUTABLE_PATH
    const options = { testbed: file, launchBrowser: () => launchBrowser({ executablePath }) }
    results = await runScenarios({ runs, ...options })
    // These register something and use it immediately.
    const registering = /^(key-lifecycle|trust-chain)\/(valid-at|own-chain|tao-revoked)\//
    const again = runs.filter(({ id }) => registering.test(id))
    resultsAgain = await runScenarios({ runs: again, ...options })
    const { url, token } = file.control
    const headers = { authorization: `Bearer ${token}` }
    snapshotsLeft = await (await fetch(`${url}/snapshots`, { headers })).json()
  } finally {
    await testbed.close()
  }
  await writeReports(reportFolder, results)
}, 600_000)

const resultOf = (id: string) => results.scenarios.find((scenario) => scenario.id === id)

describe('the scenario suites', () => {
  it.each(runs.map(({ id }) => id))('%s', (id) => {
    const result = resultOf(id)
    // Compared as one value, so that a failure shows the step and its message.
    expect({ verdict: result?.verdict, failure: result?.failure }).toEqual({
      verdict: 'passed',
      failure: undefined,
    })
  })

  it('leave the testbed in a state in which they pass again', () => {
    const verdicts = resultsAgain.scenarios.map(({ verdict }) => verdict)
    expect(verdicts.length).toBeGreaterThan(3)
    expect(new Set(verdicts)).toEqual(new Set(['passed']))
  })

  it('leave no snapshot, each of which is a copy of every database', () => {
    expect(snapshotsLeft).toEqual({ snapshots: [] })
  })

  it('are recorded: each scenario has its exchanges, each of them at a step', () => {
    expect(results.warnings).toEqual([])
    const few = results.scenarios.filter(({ hops }) => hops.length < 3).map(({ id }) => id)
    const outside = results.scenarios
      .filter(({ hops, steps }) => hops.some(({ step }) => step < 1 || step > steps.length))
      .map(({ id }) => id)
    expect({ few, outside }).toEqual({ few: [], outside: [] })
  })

  it('leave no pre-authorized code in their results, in text or QR code', () => {
    const texts = results.scenarios.flatMap(({ attachments }) =>
      attachments.map(({ mimeType, base64 }) => {
        const bytes = Buffer.from(base64, 'base64')
        const read = mimeType === 'image/png' ? readQrImage(bytes) : undefined
        return read?.ok ? read.text : mimeType.startsWith('image/') ? '' : bytes.toString()
      }),
    )
    expect(texts.some((text) => text.includes('pre-authorized_code'))).toBe(true)
    const all = [JSON.stringify(results), ...texts].join('\n')
    expect(all.match(/pre-authorized_code(?:\W|%22|%3A){1,8}[\w-]{20,}/g)).toBeNull()
  })

  it('receive the responses that the OpenAPI documents describe', () => {
    expect([...checks.keys()].sort()).toEqual(Object.values(documentedParts).sort())
    const problems = new Map<string, number>()
    let checked = 0
    for (const { id, hops } of results.scenarios) {
      for (const { to, kind, method, url, status, responseHeaders, responseBody } of hops) {
        const check = checks.get(to)
        // These make the management API send responses that no document describes.
        const isBroken = to === 'management' && id.startsWith('issuance/management-')
        if (kind !== 'http' || check === undefined || isBroken) continue
        const contentType = responseHeaders?.['content-type']
        checked++
        for (const problem of check({ method, url, status, contentType, body: responseBody })) {
          problems.set(`${to} ${problem}`, (problems.get(`${to} ${problem}`) ?? 0) + 1)
        }
      }
    }
    expect(checked).toBeGreaterThan(1000)
    expect([...problems]).toEqual([])
  })

  it('show the parts that each journey passes', () => {
    const partsOf = (id: string) => [
      ...new Set(resultOf(`${id}/ES256K`)?.hops.flatMap(({ from, to }) => [from, to])),
    ]
    const issuance = ['portal', 'wallet', 'issuer', 'connector', 'management', 'did-registry']
    const login = ['browser', 'wallet', 'relying-party', 'idp', 'verifier', 'tir', 'chain']
    expect(partsOf('issuance/representative')).toEqual(expect.arrayContaining(issuance))
    expect(partsOf('employee/by-mail')).toContain('mail')
    expect(partsOf('login/openid-vp-lear')).toEqual(expect.arrayContaining(login))
    expect(partsOf('broker/bearer-token-by-wallet')).toContain('token-issuer')
  })

  it('show which rules were evaluated on a proof and on a presentation, and how they ended', () => {
    const rulesOf = (id: string) => resultOf(id)?.hops.flatMap(({ rules = [] }) => rules) ?? []
    const names = new Set(rulesOf('login/wallet-with-did-jwk/ES256K').map(({ rule }) => rule))
    expect([...names]).toEqual(expect.arrayContaining(['proof.signature', 'trust.root']))
    const revoked = rulesOf('revocation/login-after-revocation/EdDSA')
    const broken = revoked.filter(({ passed }) => !passed).map(({ rule }) => rule)
    expect(broken).toEqual(['credential.status'])
  })

  it('leave no usable token in the report', () => {
    const text = JSON.stringify(results)
    // Header, payload and a signature of at least 64 bytes.
    expect(text.match(/eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{80,}/g)).toBeNull()
  })
})
