import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CheckBase } from '#conformance/kit/check.ts'
import { broken, defineCheck } from '#conformance/kit/check.ts'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import { readOperatorKey } from '#conformance/kit/evidence/operator-key.ts'
import { signResult } from '#conformance/kit/evidence/signed-result.ts'
import { createPlanResults } from '#conformance/kit/plan-results.ts'
import { runPlan } from '#conformance/kit/run-plan.ts'
import { createPrivateJwk } from '#core/crypto/jwk.ts'
import { writeReports } from '#scenarios/reports/write-reports.ts'
import { listenOn } from '#test/support/servers.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

// Each has its own part, so that a leak can be traced to its secret.
const secrets = {
  accessToken: 'aT0kenaT0kenaT0kenACCESS',
  refreshToken: 'rT0kenrT0kenrT0kenREFRESH',
  clientSecret: 'cS3cretcS3cretCLIENT',
  apiKey: 'aK3yaK3yaK3yAPIKEY',
  cookie: 'c00kiec00kieCOOKIE',
  code: 'c0dec0dec0deCODE',
  pin: '918273',
  password: 'pAsswordPASSWORD',
  operatorKey: createPrivateJwk('Ed25519', Buffer.alloc(32, 3)).d,
}

/** A system under test that repeats in its answers everything that it was sent. */
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  response.writeHead(400, {
    'content-type': 'application/json',
    'set-cookie': `session=${secrets.cookie}; HttpOnly`,
    location: `https://rp.example/?code=${secrets.code}`,
  })
  const { accessToken, refreshToken } = secrets
  response.end(
    JSON.stringify({
      error: 'invalid_request',
      error_description: `${Object.values(request.headers).join(' ')} ${Buffer.concat(chunks)}`,
      access_token: accessToken,
      refresh_token: refreshToken,
    }),
  )
})
let origin = ''
beforeAll(async () => {
  origin = await listenOn(server)
})
afterAll(() => void server.close())

const check = defineCheck<CheckBase>({
  id: 'V01',
  title: 'The target does not disclose secrets',
  level: 'practice',
  expectation: 'advice',
  description: 'A leaked secret could be misused.',
  sends: 'every kind of secret',
  decides: 'No verdict.',
  fix: 'Do not log secrets.',
  async run({ httpAs }) {
    const http = httpAs('wallet')
    const { accessToken, clientSecret, apiKey, code, cookie, pin, password } = secrets
    const first = await http.request(`${origin}/token?code=${code}`, {
      headers: { authorization: `Bearer ${accessToken}`, 'x-api-key': apiKey },
      form: { code, client_secret: clientSecret, tx_code: pin },
    })
    const second = await http.fetch(`${origin}/login`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`me:${clientSecret}`)}`, cookie: `sid=${cookie}` },
      body: JSON.stringify({ password, note: `with ${password}` }),
    })
    const said = await second.text()
    return broken(`It said ${first.text} to the PIN ${pin}`, {
      verdictSource: `${said} of ${accessToken}`,
      expected: { token: accessToken },
      actual: `${code} ${said}`,
    })
  },
})

/** All that a page holds, its packed parts unpacked. */
const unpack = (page: string) =>
  page.replace(/<script type="application\/octet-stream"[^>]*>([^<]+)</g, (_, packed: string) =>
    gunzipSync(Buffer.from(packed, 'base64')).toString(),
  )

describe('reports of a plan', () => {
  it('do not contain a sent or received secret in any file', async () => {
    const exchanges = createExchangeLog()
    const plan = {
      plan: 'verifier' as const,
      target: { name: 'Talkative', addresses: { verifier: origin } },
      algorithm: 'ES256K',
      missing: () => undefined,
      createContext: (base: CheckBase) => base,
      close: async () => {},
    }
    const checks = [{ ...check, name: 'V01-talkative', file: 'V01-talkative.ts' }]
    const { signal } = new AbortController()
    const runs = await runPlan(plan, { checks, exchanges, signal })
    const results = createPlanResults(plan, {
      runs,
      startedAt: new Date(),
      durationMilliseconds: 1,
      interrupted: false,
      strict: false,
      kitVersion: '0.7.0',
    })
    const folder = createTemporaryFolder()
    await writeReports(folder, results)
    const files = await readdir(folder)
    const texts = await Promise.all(
      files.map(async (file) => [file, await readFile(join(folder, file), 'utf8')] as const),
    )
    const key = readOperatorKey(JSON.stringify(createPrivateJwk('Ed25519', Buffer.alloc(32, 3))))
    const resultsJson = await readFile(join(folder, 'results.json'))
    const jws = signResult({ resultsJson, key, now: Math.floor(Date.now() / 1000) })
    const payload = Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()
    const all = [...texts, ['result.jws', payload] as const].map(
      ([file, text]) => [file, file.endsWith('.html') ? unpack(text) : text] as const,
    )
    expect(files.sort()).toEqual(['index.html', 'junit.xml', 'results.json', 'summary.md'])
    // They are still evidence: what was said around the secrets is there.
    for (const [file, text] of all)
      expect([file, text.includes('invalid_request')]).toEqual([file, true])
    for (const [file, text] of all) {
      const leaked = Object.entries(secrets).filter(([, secret]) => text.includes(secret))
      expect([file, leaked]).toEqual([file, []])
    }
  })
})
