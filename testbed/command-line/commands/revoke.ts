import type { Command } from 'commander'
import { parseJws } from '#core/crypto/jws.ts'
import { wrongUsage } from '#scenarios/errors.ts'
import {
  type IssuedRecord,
  listRecords,
  openPortals,
  type Portal,
  type PortalOptions,
} from '../call-issuer.ts'
import { noRevocableCredential } from '../errors.ts'
import { environmentOption } from '../options.ts'
import { plainText, print, printJson, say } from '../terminal.ts'
import { openStore } from '../wallet/open-wallet.ts'

export const summary = 'revoke a credential, or list those that can be revoked'

export const examples = [
  ['revoke', 'the issued credentials, with their ids'],
  ['revoke urn:uuid:6f0d5b9c-3f1e-4c86-b6cf-52a4d6a9f9a1', 'one of them'],
  ['revoke -w ana', 'every credential in the wallet ana'],
] as const

interface RevokeOptions extends PortalOptions {
  readonly wallet?: string
  readonly json?: boolean
}

export function configure(command: Command): void {
  command
    .argument('[id]', 'id of the credential; default: list the issued credentials')
    .option('-w, --wallet <name>', 'revoke the credentials in this wallet')
    .option('--organization <name>', 'identifier or name; default: all of them')
    .addOption(environmentOption('environment of the testbed').default('pre'))
    .option('--data <folder>', 'the data folder of the testbed', '.testbed')
    .action(revoke)
}

/** Calls the issuer as the portal of the organization that the credential belongs to. */
async function revoke(id: string | undefined, options: RevokeOptions): Promise<void> {
  const { wallet } = options
  if (id !== undefined && wallet !== undefined)
    throw wrongUsage('Specify either the id of a credential or --wallet.')
  const portals = await openPortals(options)
  const found = await Promise.all(
    portals.map(async (portal) =>
      (await listRecords(portal)).map((record) => ({ portal, record })),
    ),
  )
  const records = found.flat()
  if (id === undefined && wallet === undefined) return list(records, options)
  const wanted = wallet === undefined ? [id] : await idsIn({ ...options, wallet })
  const these = records.filter(({ record }) => wanted.includes(record.credential_id))
  const open = these.filter(({ record }) => record.status !== 'revoked')
  if (open.length === 0) throw noRevocableCredential({ id, wallet }, these.length > 0)
  const revoked: string[] = []
  for (const { portal, record } of open) {
    await portal.call('credential/revoke', { credential_id: record.credential_id })
    revoked.push(record.credential_id)
  }
  if (options.json) return printJson({ revoked })
  for (const each of revoked) print(`Revoked ${each}`)
}

interface Found {
  readonly portal: Portal
  readonly record: IssuedRecord
}

function list(records: readonly Found[], { json }: RevokeOptions): void {
  if (json) {
    printJson(records.map(({ record }) => record))
    return
  }
  if (records.length === 0) say('No credential has been issued yet.')
  for (const { portal, record } of records) {
    const { credential_id: id, status, vc_type: type, creation_at: at } = record
    const { organization } = portal.organization
    const time = `${at.slice(0, 16).replace('T', ' ')} UTC`
    print(`${id}  ${status.padEnd(7)}  ${time}  ${plainText(`${type} of ${organization}`)}`)
  }
}

/** Ids of the credentials in a wallet: `jti`, which is also `vc.id`. */
async function idsIn(options: RevokeOptions & { wallet: string }): Promise<unknown[]> {
  const store = await openStore(options)
  const credentials = await store.listCredentials()
  return credentials.map(({ credential }) => {
    const parsed = parseJws(credential)
    return parsed.ok ? parsed.payload.jti : undefined
  })
}
