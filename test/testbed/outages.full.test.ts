import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import type { Environment, TestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { callJson } from '#test/support/http.ts'
import { canLimitFileSize, limitFileSize, listChildren } from '#test/support/processes.ts'
import { environmentOf, openTestbedState, spawnTestbed } from '#test/support/running-testbed.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'
import { createDidResolver } from '#wallet-emulator/trust/wallet-trust.ts'

describe('a testbed on a full disk', () => {
  it('returns no client error, reports the cause in /health and the log, and recovers', async ({
    skip,
  }) => {
    if (!canLimitFileSize()) return skip('prlimit is not installed here')
    const testbed = spawnTestbed(createTemporaryFolder())
    const file = await testbed.healthy
    const { pre, control, sendMail } = await openTestbedState(file)
    const order = () => control('/pre/offers', { json: {} })
    const createKey = () =>
      callJson(`${pre.apiKeysBaseUrl}/api-keys`, {
        json: { name: 'full', scope: 'tir' },
        headers: { 'x-api-key': pre.apiKeys.operator ?? '' },
      })
    const write = async () => ({
      offer: (await order()).status,
      key: (await createKey()).status,
      mail: await sendMail('full').then(
        () => 250,
        ({ responseCode }) => responseCode,
      ),
    })
    const health = async () =>
      Promise.all(
        [pre.issuerBaseUrl, pre.apiKeysBaseUrl, file.mail.apiUrl, pre.didRegistryBaseUrl].map(
          async (url) => (await callJson(`${url}/health`)).status,
        ),
      )
    const good = await write()
    expect(good).toEqual({ offer: 200, key: 201, mail: 250 })
    const processes = [testbed.child.pid, ...listChildren(testbed.child.pid)]
    for (const pid of processes) limitFileSize(pid, 4096)
    expect(await write()).toEqual({ offer: 503, key: 503, mail: 451 })
    const json = { defect: 'accreditation-revoked' }
    expect((await control('/pre/defective-credentials', { json })).status).toBeGreaterThanOrEqual(
      500,
    )
    expect(await health()).toEqual([503, 503, 503, 503])
    expect(testbed.stderr()).toMatch(/disk I\/O error|disk is full/)
    for (const pid of processes) limitFileSize(pid, 'unlimited')
    await expect.poll(health).toEqual([200, 200, 200, 200])
    expect(await write()).toEqual(good)
    expect((await control('/pre/defective-credentials', { json })).status).toBe(200)
  })
})

interface Offer {
  readonly offer_uri: string
  readonly subject_id: string
}

interface IssuedCredential {
  readonly subject_id: string
  readonly credential_id: string
  readonly status: string
}

async function post<Answer>(url: string, token: string, json: unknown): Promise<Answer> {
  const answer = await callJson(url, { headers: { authorization: `Bearer ${token}` }, json })
  expect(answer.status).toBe(200)
  return answer.body
}

const organization_identifier = 'VATES-A12345678'

/** A new wallet takes the offer; the identifier of the credential it got. */
async function take({ didRegistryBaseUrl }: Environment, link: string): Promise<string> {
  const wallet = createWallet({ http: { allowPrivateAddresses: true } })
  const resolveDidDocument = createDidResolver(wallet.http, () => didRegistryBaseUrl)
  const [accepted] = await acceptOffer(wallet, link, { resolveDidDocument })
  return String(decodeJwt(accepted?.credential.credential ?? '').jti)
}

async function listRecords({ control, ...file }: TestbedFile): Promise<IssuedCredential[]> {
  const environment = environmentOf({ control, ...file })
  const { access_token } = await post<{ access_token: string }>(
    `${control.url}/pre/bearer-tokens`,
    control.token,
    { organization_identifier },
  )
  return post(`${environment.issuerBaseUrl}/issuance/credential`, access_token, {
    organization_identifiers: [organization_identifier],
  })
}

describe('kill -9 in the middle of issuances', () => {
  it('loses no acknowledged record, offer or delivery', async () => {
    const folder = createTemporaryFolder()
    const first = spawnTestbed(folder)
    const before = await first.healthy
    const { url, token } = before.control
    const offers = await Promise.all(
      Array.from({ length: 16 }, () => post<Offer>(`${url}/pre/offers`, token, {})),
    )
    const [untouched, ...toTake] = offers
    const delivered: string[] = []
    const enough = Promise.withResolvers<void>()
    const taking = toTake.map(async ({ offer_uri }) => {
      delivered.push(await take(environmentOf(before), offer_uri))
      if (delivered.length === 3) enough.resolve()
    })
    await enough.promise
    first.child.kill('SIGKILL')
    await Promise.allSettled(taking)
    expect(await first.ended).toBe('SIGKILL')

    const second = spawnTestbed(folder)
    const after = await second.healthy
    const records = await listRecords(after)
    const subjects = records.map(({ subject_id }) => subject_id)
    for (const { subject_id } of offers) expect(subjects).toContain(subject_id)
    // Every holder of a credential is in the books, once the confirmation has got through.
    const statuses = async () => {
      const all = await listRecords(after)
      return delivered.map(
        (id) => all.find(({ credential_id }) => credential_id === id)?.status ?? 'unknown',
      )
    }
    await expect.poll(statuses).toEqual(delivered.map(() => 'issued'))

    // The offer that had not been scanned is still good; only the ports are different now.
    const offer = new URL(untouched?.offer_uri ?? '').searchParams.get('credential_offer') ?? '{}'
    const code = Object.values(
      JSON.parse(offer).grants as Record<string, { 'pre-authorized_code': string }>,
    )[0]?.['pre-authorized_code']
    const answer = await fetch(`${environmentOf(after).credentialIssuerUrl}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:pre-authorized_code',
        'pre-authorized_code': code ?? '',
      }),
    })
    expect(answer.status).toBe(200)
  })
})
