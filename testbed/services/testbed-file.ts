import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { didPrefixes } from '#core/did/did-org.ts'
import type { Environment, TestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { writeFileAtomically } from '#testbed/data-folder/secrets.ts'
import type { Accredited } from '#testbed/registries/environment-keys.ts'
import {
  adminOf,
  credentialIssuerUrlOf,
  foreignManagementUrlOf,
  localAccountsOf,
  mainCredentialTypeOf,
  portalOf,
  relyingPartyOf,
  tirBaseUrlOf,
} from './environment-context.ts'
import type { RunningEnvironment } from './start-environment.ts'

function describeMember({ did, attributeId, privateKey, vMethodId }: Accredited) {
  return { did, attributeId, privateKey, vMethodId }
}

/** Limits of an environment with an external chain or database. */
function limitsOf({ chainProcess, context }: RunningEnvironment): Pick<Environment, 'limits'> {
  const chain = 'The chain given by --chain-rpc'
  const isForeignDatabase = context.databaseUrl('idp').startsWith('postgres')
  const limits: Environment['limits'] = {
    ...(isForeignDatabase && {
      snapshots: 'The database given by --database-url has no snapshots.',
    }),
    ...(chainProcess === undefined && {
      clock: `${chain} keeps its own time.`,
      mining: `${chain} mines by its own rules.`,
      snapshots: `${chain} has no snapshots.`,
      'revert-reasons': `The receipts of ${chain.toLowerCase()} may have no revert reasons.`,
    }),
  }
  return Object.keys(limits).length === 0 ? {} : { limits }
}

/** One environment in the format of `testbed.json`. */
export function describeEnvironment(running: RunningEnvironment): Environment {
  const { environment, context } = running
  const { chain, keys, urls } = context
  const [account] = localAccountsOf(context)
  const { rootTao, tao, issuer } = keys
  const { vcType, inheritedTypes } = mainCredentialTypeOf(context)
  return {
    didPrefix: didPrefixes[environment],
    ...limitsOf(running),
    chain: {
      rpcUrl: urls.chain,
      chainId: `0x${chain.chainId.toString(16)}`,
      didRegistryAddress: chain.didRegistryAddress,
      tirAddress: chain.tirAddress,
    },
    didRegistryBaseUrl: urls['did-registry'],
    tirBaseUrl: tirBaseUrlOf(context),
    issuerBaseUrl: urls.issuer,
    credentialIssuerUrl: credentialIssuerUrlOf(context),
    connectorBaseUrl: urls.connector,
    idpBaseUrl: urls.idp,
    verifierBaseUrl: urls.verifier,
    verifierDid: keys.verifier.did,
    tokenIssuerBaseUrl: urls['token-issuer'],
    managementApiUrl: foreignManagementUrlOf(context) ?? urls.management,
    apiKeysBaseUrl: urls['api-keys'],
    apiKeys: {
      operator: context.secret('api-key/operator'),
      tir: context.secret('api-key/tir'),
      issuer: context.secret('api-key/issuer'),
      idp: context.secret('api-key/idp'),
    },
    onboardingNode: keys.onboardingNode,
    operator: keys.operator,
    trustChain: {
      rootTao: describeMember(rootTao),
      tao: describeMember(tao),
      issuer: describeMember(issuer),
    },
    oidcClient: relyingPartyOf(context),
    tokenIssuerClient: portalOf(context),
    tokenIssuerAccount: {
      username: account?.username ?? '',
      password: account?.password ?? '',
    },
    admin: adminOf(context),
    organizations: [...context.organizations],
    credentialType: { vcType, inheritedTypes },
  }
}

/**
 * Writes `testbed.json` into the data folder: whole, or not at all, readable only by its owner. The
 * returned function removes it.
 */
export function writeTestbedFile(folder: string, file: TestbedFile): () => void {
  const path = join(folder, 'testbed.json')
  writeFileAtomically(path, `${JSON.stringify(file, null, 2)}\n`)
  return () => rmSync(path, { force: true })
}
