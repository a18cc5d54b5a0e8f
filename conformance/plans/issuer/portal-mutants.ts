import type { MutantTable } from '../../kit/mutant.ts'

const authentication = 'services/kit/authentication.ts'
const reach = 'services/issuer/domain/bearer-claims.ts'

/** Mutants of the checks of the interface for portals in detail. */
export const portalMutants: MutantTable = {
  'I120-unsigned-bearer': {
    deviation: 'accepts Bearer tokens without a signature',
    file: authentication,
    edit: `{+if (isMutant && token?.endsWith('.')) return parseJws(token).payload
    +}if (token === undefined ||`,
  },
  'I121-bearer-in-query': {
    deviation: 'also accepts the Bearer token from the address',
    file: authentication,
    edit: `const authorization = request.get('authorization'){+ ??
      (isMutant && request.query.access_token ? \`Bearer \${request.query.access_token}\` : undefined)+}
    if (authorization === undefined) throw invalidToken('Bearer')`,
  },
  'I122-wildcards-granted': {
    deviation: 'grants wildcards to every organization',
    file: 'core/power/power.ts',
    edit: "return allowed === '*' || allowed === wanted{+ || (isMutant && wanted === '*')+}",
  },
  'I123-list-as-type': {
    deviation: 'reads a list of one element as its element in a power',
    file: 'core/power/power.ts',
    edit: "type: {+z.preprocess((value) => (isMutant && Array.isArray(value) ? value[0] : value), +}zText.describe('Power type'){+)+},",
  },
  'I124-any-power-for-employees': {
    deviation: 'does not check the powers of employees',
    file: 'services/issuer/operations/issuance.ts',
    edit: 'await authorizeIssuance(sender, {+isMutant && mandatee ? [] : +}power, dependencies)',
  },
  'I125-lists-any-organization': {
    deviation: 'lists the records of any organization',
    file: reach,
    edit: "own === undefined || {+(+}organizationIdentifiers.some((identifier) => identifier !== own){+ && !(isMutant && action === 'read'))+}",
  },
  'I126-revokes-for-anybody': {
    deviation: 'revokes credentials of any organization',
    file: reach,
    edit: "identifier !== own{+ && !(isMutant && action === 'delete')+}",
  },
}
