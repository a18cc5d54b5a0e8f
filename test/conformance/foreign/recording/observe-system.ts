import { execFile, spawn } from 'node:child_process'
import { copyFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { z } from 'zod'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import { openTrustWorld } from '#conformance/world/open-trust-world.ts'
import { startKitServer } from '#conformance/world/start-kit-server.ts'
import { createHttpBrowser } from '#scenarios/harness/http-browser.ts'
import { startLoginServices } from '#testbed/conformance/start-login-services.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import { credentialIdOf } from '#wallet-emulator/store/wallet-store.ts'
import { createWalletTrust } from '#wallet-emulator/trust/wallet-trust.ts'
import type { ForeignSystem, RunOptions } from './foreign-system.ts'
import { installProgram, readPinnedVersion } from './install-program.ts'
import {
  foreignFolder,
  type Observed,
  type RecordedFinding,
  type RecordedRun,
} from './recorded-runs.ts'
import { runPlanAgainst } from './run-plan-against.ts'

const projectFolder = join(foreignFolder, '../../..')

/** Runs what the kit has for a system, and says with which versions. */
export async function observeSystem(
  system: ForeignSystem,
  signal: AbortSignal,
): Promise<RecordedRun> {
  const folder = join(foreignFolder, system.name)
  const when = {
    date: new Date().toISOString().slice(0, 10),
    kitRevision: await readKitRevision(),
  }
  const { packages, program } = system
  if (program) {
    await installProgram(folder, program)
    const versions = { [packages[0] ?? '']: await readPinnedVersion(folder, program) }
    return { ...when, versions, ...(await run(system, { folder, signal })) }
  }
  if (!system.hasOwnPackages) {
    const versions = await readVersions(system, projectFolder)
    return { ...when, versions, ...(await run(system, { folder, signal })) }
  }
  const workFolder = await mkdtemp(join(tmpdir(), 'foreign-packages-'))
  try {
    const installed = await install(folder, workFolder)
    const versions = await readVersions(system, installed)
    return { ...when, versions, ...(await run(system, { folder: installed, signal })) }
  } finally {
    await rm(workFolder, { recursive: true })
  }
}

const run = ({ plan, targetFile }: ForeignSystem, options: RunOptions) =>
  plan === undefined
    ? runRelyingParty(options)
    : runPlanAgainst({ plan, ...(targetFile && { targetFile }) }, options)

/** The commit that last changed the kit. */
async function readKitRevision(): Promise<string> {
  const args = ['log', '-1', '--format=%h', '--', 'conformance']
  const { stdout } = await promisify(execFile)('git', args, { cwd: projectFolder })
  return stdout.trim()
}

/**
 * A copy of the folder with its packages in it, and next to it the testbed's modules that its
 * programs import.
 */
async function install(folder: string, workFolder: string): Promise<string> {
  const installed = join(workFolder, 'system')
  await cp(folder, installed, { recursive: true })
  await copyFile(join(foreignFolder, 'shared-glue.ts'), join(workFolder, 'shared-glue.ts'))
  await writeFile(join(workFolder, 'package.json'), '{ "type": "module" }')
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: installed,
  })
  return installed
}

async function readVersions({ packages }: ForeignSystem, installedIn: string) {
  const entries = packages.map(async (name) => {
    const file = join(installedIn, 'node_modules', name, 'package.json')
    const { version } = JSON.parse(await readFile(file, 'utf8'))
    return [name, String(version)] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

export interface RunningProgram {
  /** What it printed first, which is its address. */
  readonly firstLine: string
  stop(): Promise<void>
}

/** Starts a Node program and waits for its first line. */
async function startProgram(file: string, args: readonly string[]): Promise<RunningProgram> {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stop = async () => {
    child.kill()
    await ended
  }
  for await (const firstLine of createInterface(child.stdout)) return { firstLine, stop }
  throw new Error(`${file} ended before it printed a line`)
}

const documented = [
  'sub',
  'email',
  'given_name',
  'family_name',
  'name',
  'preferred_username',
  'organization',
  'organization_identifier',
  'user_identifier',
  'power',
]

const zClaims = z.record(z.string(), z.unknown()).default({})
const zTold = z.looseObject({ claims: zClaims, userInfo: zClaims })

/**
 * Has the relying party log in a holder at the testbed's own IDP, with the wallet emulator:
 * openid-client's own checks show whether the IDP is an OpenID provider.
 */
async function runRelyingParty({ folder }: RunOptions): Promise<Observed> {
  const server = await startKitServer({ exchanges: createExchangeLog(), caller: 'verifier' })
  const trust = openTrustWorld(server, { seed: '', now: Math.floor(Date.now() / 1000) })
  const services = await startLoginServices(trust)
  const { clientId, clientSecret, redirectUri } = services.client
  const party = await startProgram(join(folder, 'main.ts'), [
    ...['--issuer', services.idpBaseUrl, '--client-id', clientId],
    ...['--client-secret', clientSecret, '--redirect-uri', redirectUri],
  ])
  try {
    const trusted = { ...trust.addresses, rootDids: [trust.addresses.rootDid] }
    const wallet = createWallet({
      account: createAccount({ curve: 'Ed25519' }),
      http: { allowPrivateAddresses: true },
    })
    const payload = trust.world.credentialPayload(wallet.account.did)
    const credential = trust.world.issue(payload)
    await wallet.store.addCredential({
      id: credentialIdOf(credential),
      format: 'jwt_vc_json',
      credential,
      credentialIssuer: trust.addresses.credentialIssuerUrl,
      receivedAt: trust.world.now,
    })

    const browser = createHttpBrowser(['http://127.0.0.1:9/'])
    const page = await browser.get(party.firstLine)
    const href = /href="(openid4vp:[^"]*)"/.exec(page.text)?.[1] ?? ''
    await present(wallet, href.replaceAll('&amp;', '&'), createWalletTrust(wallet.http, trusted))
    const { url } = await browser.get(page.url)
    const redeem = async () => {
      const { pathname, search } = new URL(url)
      const answer = await fetch(new URL(pathname + search, party.firstLine))
      return { status: answer.status, json: zTold.parse(await answer.json()) }
    }
    const first = await redeem()
    const again = await redeem()
    const { claims, userInfo } = first.json
    const missing = documented.filter((name) => claims[name] === undefined)
    const findings = [
      finding('R01', 'Discovery and the authorization request lead to a page with a link', {
        holds: href !== '',
        reason: `${page.status}, ${href === '' ? 'no link' : 'a link for the wallet'}`,
      }),
      finding('R02', "The code is exchanged and the id_token passes openid-client's checks", {
        holds: first.status === 200,
        reason: first.status === 200 ? 'It does.' : JSON.stringify(first.json),
      }),
      finding('R03', 'The id_token has all claims of openid-vp-lear', {
        holds: missing.length === 0,
        reason: missing.length === 0 ? 'All claims are present.' : `Missing: ${missing.join(', ')}`,
      }),
      finding('R04', 'userinfo has the same subject', {
        holds: userInfo.sub !== undefined && userInfo.sub === claims.sub,
        reason: `${Object.keys(userInfo).length} claims`,
      }),
      finding('R05', 'A repeated answer does not log the user in', {
        holds: again.status === 400,
        reason: `HTTP ${again.status}`,
      }),
    ]
    return { findings, dialect: [] }
  } finally {
    await party.stop()
    await services.close()
    await server.close()
  }
}

const finding = (
  id: string,
  title: string,
  { holds, reason }: { holds: boolean; reason: string },
): RecordedFinding =>
  holds ? { id, title, verdict: 'passed' } : { id, title, verdict: 'failed', reason }
