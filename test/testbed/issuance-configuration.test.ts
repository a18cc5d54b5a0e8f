import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readAccreditationBody } from '#core/trust/accreditation.ts'
import { createLog } from '#kit/log.ts'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import type { Environment } from '#scenarios/harness/z-testbed-file.ts'
import {
  codeOf,
  createCredentialRequestBody,
  grantType,
  postForm,
  postJson,
} from '#test/support/issuance.ts'
import { linkOf, sessionOf } from '#test/support/login-system.ts'
import { runCommand } from '#test/support/processes.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { readIssuanceConfiguration } from '#testbed/services/read-configuration.ts'
import { startTestbed } from '#testbed/start-testbed.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'
import { createDidResolver } from '#wallet-emulator/trust/wallet-trust.ts'

const types = [
  { vcType: 'OrgPortalLearCredential' },
  { vcType: 'OrgMachineCredential', inheritedTypes: ['VerifiableCredential', 'Machine'] },
]

function writeTypes(value: unknown): string {
  const file = join(createTemporaryFolder(), 'types.json')
  writeFileSync(file, JSON.stringify(value))
  return file
}

/** A testbed that issues the types of a file, for the running test. */
async function startWithTypes(value: unknown) {
  const issuance = readIssuanceConfiguration({ credentialTypes: writeTypes(value) })
  const testbed = await startTestbed({ issuance, log: createLog({ level: 'silent' }) })
  onTestFinished(() => testbed.close())
  const { control, environments } = testbed.file
  if (!environments.pre) throw new Error('there is no environment pre')
  return { control, pre: environments.pre }
}

function openLoginPage({ idpBaseUrl, oidcClient: { clientId, redirectUri } }: Environment) {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid openid-vp-lear',
  })
  return createHttpBrowser([redirectUri]).get(`${idpBaseUrl}/accounts/authorize?${query}`)
}

describe('a testbed with a second credential type', () => {
  it('is accredited for it and issues it, from a file alone', async () => {
    const { control, pre } = await startWithTypes(types)

    const offered = await postJson(
      `${control.url}/pre/offers`,
      { vc_type: 'OrgMachineCredential' },
      { authorization: `Bearer ${control.token}` },
    )
    const { searchParams } = new URL(String(offered.body.offer_uri))
    const offer = JSON.parse(searchParams.get('credential_offer') ?? '')
    const credentialIssuer = pre.credentialIssuerUrl
    const token = await postForm(`${credentialIssuer}/token`, {
      grant_type: grantType,
      'pre-authorized_code': codeOf(offer),
    })
    const chain = ['VerifiableCredential', 'Machine', 'OrgMachineCredential']
    const answer = await postJson(
      `${credentialIssuer}/credential`,
      { ...createCredentialRequestBody(credentialIssuer, token.body.c_nonce), types: chain },
      { authorization: `Bearer ${token.body.access_token}` },
    )
    const [, payload = ''] = String(answer.body.credential).split('.')
    const { vc } = JSON.parse(Buffer.from(payload, 'base64url').toString())
    expect(vc.type).toEqual(chain)

    const accreditation = (await (await fetch(vc.termsOfUse.id)).json()) as {
      attribute: { body: string }
    }
    const body = readAccreditationBody(accreditation.attribute.body)
    expect(body?.payload).toMatchObject({
      vc: { credentialSubject: { accreditedFor: [{ types: types.map(({ vcType }) => vcType) }] } },
    })
  })

  it('offers both types at once, and a wallet signs in with the one that the IDP accepts', async () => {
    const { control, pre } = await startWithTypes(types)
    const wallet = createWallet({ http: { allowPrivateAddresses: true } })
    const resolveDidDocument = createDidResolver(wallet.http, () => pre.didRegistryBaseUrl)
    const offer = (members: object) => {
      const authorization = `Bearer ${control.token}`
      return postJson(`${control.url}/pre/offers`, members, { authorization })
    }
    const vc_types = types.map(({ vcType }) => vcType)
    const { body } = await offer({ vc_types })
    const accepted = await acceptOffer(wallet, String(body.offer_uri), { resolveDidDocument })
    expect(accepted).toHaveLength(2)
    expect(new Set(accepted.map(({ credential }) => credential.id)).size).toBe(2)
    expect(accepted.flatMap(({ verdict }) => verdict.failures)).toEqual([])

    const page = await openLoginPage(pre)
    await present(wallet, linkOf(page), { resolveDidDocument })
    const status = await fetch(`${pre.idpBaseUrl}/idp/api/auth/requests?session=${sessionOf(page)}`)
    expect(await status.json()).toEqual({ status: 'SUCCESS' })
    expect(await offer({ vc_types: ['Unknown'] })).toMatchObject({
      status: 400,
      body: { error: 'unknown_vc_type' },
    })
  })

  it('lets people sign in with it, by its own chain, where it is the only one', async () => {
    const [, machine] = types
    const { control, pre } = await startWithTypes([machine])

    const wallet = createWallet({ http: { allowPrivateAddresses: true } })
    const authorization = `Bearer ${control.token}`
    const { body } = await postJson(`${control.url}/pre/offers`, {}, { authorization })
    await acceptOffer(wallet, String(body.offer_uri))

    const page = await openLoginPage(pre)
    await present(wallet, linkOf(page), {
      resolveDidDocument: createDidResolver(wallet.http, () => pre.didRegistryBaseUrl),
    })
    const status = await fetch(`${pre.idpBaseUrl}/idp/api/auth/requests?session=${sessionOf(page)}`)
    expect(await status.json()).toEqual({ status: 'SUCCESS' })

    // What is ordered with a defect is of that type too, and offered as it.
    const policy = { broken: 'accept' } as const
    for (const [defect, type] of [
      ['context-order', ['VerifiableCredential', 'Machine', 'OrgMachineCredential']],
      ['inherited-type-missing', ['VerifiableCredential', 'OrgMachineCredential']],
      ['type-other', ['VerifiableCredential', 'Machine', 'OtherCredential']],
    ] as const) {
      const order = { defect }
      const made = await postJson(`${control.url}/pre/defective-credentials`, order, {
        authorization,
      })
      const [accepted] = await acceptOffer(wallet, String(made.body.offer_uri), { policy })
      const [, payload = ''] = accepted?.credential.credential.split('.') ?? []
      expect(JSON.parse(Buffer.from(payload, 'base64url').toString()).vc.type).toEqual(type)
    }
  })

  it('does not start with a file that has to be mended, and says where', async () => {
    const folder = createTemporaryFolder()
    writeFileSync(join(folder, 'types.json'), '[\n  { "vcTyp": "OrgMachineCredential" }\n]')
    const args = ['up', '--in-memory', '--port-base', '0', '--credential-types', 'types.json']
    const { exitCode, stderr } = await runCommand(args, { cwd: folder })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('types.json:2: 0.vcType: ')
    expect(stderr).toContain('types.json:2: 0: ')
  })
})
