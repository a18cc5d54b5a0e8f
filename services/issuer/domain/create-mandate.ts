import type { Mandate } from '#core/lear-credential/lear-credential.ts'
import type { Power } from '#core/power/power.ts'
import type { BearerClaims } from './bearer-claims.ts'

/** The person who receives the mandate. */
export interface MandateeData {
  readonly employeeId: string
  readonly email: string
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
}

/**
 * The mandate of a credential: the organization of the Bearer token, represented by the sender,
 * grants the powers to the mandatee.
 *
 * @assumption A-27 A-41
 */
export function createMandate(
  representative: BearerClaims,
  mandatee: MandateeData,
  power: readonly Power[],
): Mandate {
  const { organizationIdentifier, organization, email, userIdentifier } = representative
  const names = namesOf(representative)
  const country = countryOf(organizationIdentifier)
  return {
    mandator: {
      organizationIdentifier,
      organization,
      commonName: representative.name ?? `${names.firstName} ${names.lastName}`,
      ...(country === undefined ? {} : { country }),
      email,
      serialNumber: userIdentifier,
    },
    mandatee: { employeeId: mandatee.employeeId, email: mandatee.email, ...namesOf(mandatee) },
    power: power.map((item) => ({ ...item })),
  }
}

/**
 * First and last name. Missing ones are derived from the email address: ana.ruiz@… gives Ana and
 * Ruiz; from any other address, both are its local part.
 *
 * @assumption A-41
 */
function namesOf({
  email,
  firstName,
  lastName,
}: {
  readonly email: string
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
}): { readonly firstName: string; readonly lastName: string } {
  const derived = namesFromAddress(email)
  return { firstName: firstName ?? derived.firstName, lastName: lastName ?? derived.lastName }
}

function namesFromAddress(email: string) {
  const local = email.split('@', 1)[0] ?? email
  const [first = local, last = local] = /^\p{L}+\.\p{L}+$/u.test(local)
    ? local.split('.').map(capitalize)
    : []
  return { firstName: first, lastName: last }
}

// ETSI EN 319 412-1, 5.1.4: three letters for the kind of identifier, then the country.
function countryOf(organizationIdentifier: string): string | undefined {
  return /^[A-Z]{3}([A-Z]{2})-/.exec(organizationIdentifier)?.[1]
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
