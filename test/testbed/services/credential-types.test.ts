import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readAccreditationBody } from '#core/trust/accreditation.ts'
import { callJson } from '#test/support/http.ts'
import { codeOf, createCredentialRequestBody, grantType } from '#test/support/issuance.ts'
import { linkOf } from '#test/support/login-system.ts'
import { runCommand } from '#test/support/processes.ts'
import { loginStatus, openLogin, openTestbedForTest } from '#test/support/running-testbed.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { explain } from '#testbed/library/explain.ts'
import { readIssuanceConfiguration } from '#testbed/services/read-configuration.ts'
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
const startWithTypes = (value: unknown) =>
  openTestbedForTest({
    issuance: readIssuanceConfiguration({ credentialTypes: writeTypes(value) }),
  })

describe('a testbed with a second credential type', () => {
  it('is accredited for it and issues it, from only a file', async () => {
    const { order, pre } = await startWithTypes(types)
    const { searchParams } = new URL(await order({ vc_type: 'OrgMachineCredential' }))
    const offer = JSON.parse(searchParams.get('credential_offer') ?? '')
    const credentialIssuer = pre.credentialIssuerUrl
    const token = await callJson(`${credentialIssuer}/token`, {
      form: {
        grant_type: grantType,
        'pre-authorized_code': codeOf(offer),
      },
    })
    const chain = ['VerifiableCredential', 'Machine', 'OrgMachineCredential']
    const answer = await callJson(`${credentialIssuer}/credential`, {
      json: { ...createCredentialRequestBody(credentialIssuer, token.body.c_nonce), types: chain },
      headers: { authorization: `Bearer ${token.body.access_token}` },
    })
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

  it('offers both types, and a wallet logs in with the type that the IDP accepts', async () => {
    const { control, order, pre } = await startWithTypes(types)
    const wallet = createWallet({ http: { allowPrivateAddresses: true } })
    const resolveDidDocument = createDidResolver(wallet.http, () => pre.didRegistryBaseUrl)
    const vc_types = types.map(({ vcType }) => vcType)
    const accepted = await acceptOffer(wallet, await order({ vc_types }), { resolveDidDocument })
    expect(accepted).toHaveLength(2)
    expect(new Set(accepted.map(({ credential }) => credential.id)).size).toBe(2)
    expect(accepted.flatMap(({ verdict }) => verdict.failures)).toEqual([])

    const page = await openLogin(pre)
    await present(wallet, linkOf(page), { resolveDidDocument })
    expect(await loginStatus(pre, page)).toBe('SUCCESS')
    const unknown = { json: { vc_types: ['Unknown'] } }
    expect(await control('/pre/offers', unknown)).toMatchObject({
      status: 400,
      body: { error: 'unknown_vc_type' },
    })
  })

  it('accepts it for login, with its own type chain, if it is the only one', async () => {
    const [, machine] = types
    const { control, order, pre } = await startWithTypes([machine])
    const wallet = createWallet({ http: { allowPrivateAddresses: true } })
    await acceptOffer(wallet, await order())
    const page = await openLogin(pre)
    await present(wallet, linkOf(page), {
      resolveDidDocument: createDidResolver(wallet.http, () => pre.didRegistryBaseUrl),
    })
    expect(await loginStatus(pre, page)).toBe('SUCCESS')

    // What is ordered with a defect is of that type too, and offered as it.
    const policy = { broken: 'accept' } as const
    for (const [defect, type] of [
      ['context-order', ['VerifiableCredential', 'Machine', 'OrgMachineCredential']],
      ['inherited-type-missing', ['VerifiableCredential', 'OrgMachineCredential']],
      ['type-other', ['VerifiableCredential', 'Machine', 'OtherCredential']],
    ] as const) {
      const made = await control('/pre/defective-credentials', { json: { defect } })
      const [accepted] = await acceptOffer(wallet, String(made.body.offer_uri), { policy })
      const [, payload = ''] = accepted?.credential.credential.split('.') ?? []
      expect(JSON.parse(Buffer.from(payload, 'base64url').toString()).vc.type).toEqual(type)
    }
  })

  it('is the type that the console, the library and the command line expect, if it is the only one', async () => {
    const [, machine] = types
    const { control, file, order, pre } = await startWithTypes([machine])
    const wallet = createWallet({ http: { allowPrivateAddresses: true } })
    const [accepted] = await acceptOffer(wallet, await order())
    const jwt = accepted?.credential.credential ?? ''
    const now = (await control('/clock')).body.now
    expect((await explain(jwt, { now, testbed: file })).verdict).toBe('holds')
    const other = { now, testbed: file, acceptedType: 'OrgPortalLearCredential' }
    expect((await explain(jwt, other)).verdict).toBe('broken')
    const pasted = await callJson(`${file.consoleUrl}/console/explanations`, {
      headers: { authorization: `Bearer ${file.control.token}` },
      json: { text: jwt },
    })
    expect(pasted.body.explanation.verdict).toBe('holds')

    const cwd = createTemporaryFolder()
    writeFileSync(join(cwd, 'testbed.json'), JSON.stringify(file))
    writeFileSync(join(cwd, 'credential.jwt'), jwt)
    for (const args of [
      ['verify', 'credential.jwt'],
      ['trust', 'show'],
    ]) {
      const { exitCode, stdout } = await runCommand([...args, '--data', '.'], { cwd })
      expect({ args, exitCode, stdout }).toMatchObject({ args, exitCode: 0 })
    }

    // Both ways to accredit an organization suggest it.
    const { body: link } = await control('/console-links', { json: { to: '/' } })
    const opened = await fetch(String(link.url), { redirect: 'manual' })
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''
    const form = await fetch(`${file.consoleUrl}/registries/pre/changes`, { headers: { cookie } })
    expect(await form.text()).toMatch(/name="types"[^>]* value="OrgMachineCredential"/)
    const { did } = pre.trustChain.issuer
    const publish = ['trust', 'publish', did, '--json', '--data', '.']
    const { stdout } = await runCommand(publish, { cwd })
    expect(readAccreditationBody(JSON.parse(stdout).jwt)?.payload).toMatchObject({
      vc: { credentialSubject: { accreditedFor: [{ types: ['OrgMachineCredential'] }] } },
    })
  })

  it('does not start with an invalid file, and reports the line', async () => {
    const folder = createTemporaryFolder()
    writeFileSync(join(folder, 'types.json'), '[\n  { "vcTyp": "OrgMachineCredential" }\n]')
    const args = ['up', '--in-memory', '--port-base', '0', '--credential-types', 'types.json']
    const { exitCode, stderr } = await runCommand(args, { cwd: folder })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('types.json:2: 0.vcType: ')
    expect(stderr).toContain('types.json:2: 0: ')
  })
})
