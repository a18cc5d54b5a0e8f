import { toIsoTime } from '#core/verification/data-model.ts'
import type { CredentialChange } from '../../../world/defects/defect.ts'
import {
  acceptances,
  asPractice,
  type PresentationCase,
  refusals,
  withDefect,
  withDefects,
} from '../presentation-checks.ts'
import { inCredential } from '../raw-tokens.ts'

const day = 86_400

/** What is not a time with a time zone, made of a year. */
const unreadableTimes: Readonly<Record<string, (year: string) => unknown>> = {
  'is a date without a time': (year) => `${year}-12-31`,
  'has no time zone': (year) => `${year}-12-31T00:00:00`,
  'has a space in place of T': (year) => `${year}-12-31 00:00:00Z`,
  'has an offset without minutes': (year) => `${year}-12-31T00:00:00+01`,
  'has no seconds': (year) => `${year}-12-31T00:00Z`,
  'is in a month 13': (year) => `${year}-13-01T00:00:00Z`,
  'is on February 30': (year) => `${year}-02-30T00:00:00Z`,
  'is at 25 o’clock': (year) => `${year}-12-31T25:00:00Z`,
  'has other text after it': (year) => `${year}-12-31T00:00:00Z (end)`,
  'has a NUL after it': (year) => `${year}-12-31T00:00:00Z\u0000`,
  'has other text before it': (year) => `Thu, ${year}-12-31T00:00:00Z`,
  'has a sign and six digits in its year': (year) => `-00${year}-12-31T00:00:00Z`,
  'is the only element of a list': (year) => [`${year}-12-31T00:00:00.000Z`],
}

/** When a credential is valid: each time on its own. */
export const checks = {
  ...refusals({
    'V21-expired-credential': {
      title: 'A credential past validUntil is rejected',
      level: 'spec',
      rows: [
        '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.5',
        '1.states-and-transitions.7',
      ],
      description:
        'People leave organizations. Their credentials end with validUntil, regardless of the other times in the JWT.',
      fix: 'Compare validUntil of the credential with the current time, even if exp is later, with a tolerance of at most a minute. If it has passed, reject the presentation.',
      presentations: [
        ...withDefects('expired', 'exp-after-valid-until'),
        // RFC 7519 tolerates a few minutes, and some libraries five.
        at('validUntil was six minutes ago.', (now) => ({
          vc: { validUntil: toIsoTime(now - 360) },
        })),
        at('validUntil was an hour ago, written with an offset of five hours.', (now) => ({
          vc: { validUntil: withOffset(now - 3600, 5) },
        })),
        ...asPractice([
          at('validUntil was 90 seconds ago.', (now) => ({
            vc: { validUntil: toIsoTime(now - 90) },
          })),
        ]),
      ],
    },
    'V22-credential-not-yet-valid': {
      title: 'A credential that is not valid yet is rejected',
      level: 'final',
      clauses: ['W3C VC Data Model 2.0, 4.9', 'RFC 7519, 4.1.5'],
      description: 'Issuers issue credentials in advance, for mandates that begin later.',
      fix: 'Compare validFrom and nbf of the credential with the current time. If one of them is in the future, reject the presentation.',
      presentations: [
        ...withDefects('not-yet-valid', 'nbf-after-valid-from'),
        at('nbf is in ten minutes and half a second.', (now) => ({ claims: { nbf: now + 600.5 } })),
        at('validFrom is in ten minutes.', (now) => ({ vc: { validFrom: toIsoTime(now + 600) } })),
        at('validFrom is in an hour, written with an offset of five hours.', (now) => ({
          vc: { validFrom: withOffset(now + 3600, -5) },
        })),
        ...asPractice([
          at('nbf is in two minutes.', (now) => ({ claims: { nbf: now + 120 } })),
          at('validFrom is in two minutes.', (now) => ({
            vc: { validFrom: toIsoTime(now + 120) },
          })),
        ]),
      ],
    },
    'V76-credential-exp-past': {
      title: 'A credential past exp is rejected',
      level: 'final',
      clauses: ['RFC 7519, 4.1.4'],
      description: 'A JWT must not be accepted after its exp, regardless of validUntil.',
      fix: 'Compare exp of the credential with the current time, even if validUntil is later, with a tolerance of at most a minute. If it has passed, reject the presentation.',
      presentations: [
        ...withDefects('exp-before-valid-until'),
        at('exp was six minutes ago.', (now) => ({ claims: { exp: now - 360 } })),
        at('exp was six minutes and half a second ago.', (now) => ({
          claims: { exp: now - 360.5 },
        })),
        at('exp is 0.', () => ({ claims: { exp: 0 } })),
        ...asPractice([at('exp was 90 seconds ago.', (now) => ({ claims: { exp: now - 90 } }))]),
      ],
    },
    'V108-times-of-another-type': {
      title: 'A credential whose times cannot be read is rejected',
      level: 'practice',
      clauses: ['W3C VC Data Model 2.0, 4.9', 'docs/assumptions.md, A-28'],
      description:
        'A comparison with something that is not a time is false in many languages. A credential whose end cannot be read would then never end.',
      fix: 'Require numbers of seconds up to the year 9999 in exp, nbf and iat, and times with a time zone in validUntil and validFrom. If one cannot be read, or the credential has no end, reject the presentation.',
      presentations: [
        ...withDefects('end-absent', 'valid-until-unreadable'),
        ...['exp', 'nbf', 'iat'].flatMap((claim) => [
          at(`${claim} is a string of digits.`, (now) => ({
            claims: { [claim]: String(claim === 'exp' ? now + day : now - 60) },
          })),
          at(`${claim} is null.`, () => ({ claims: { [claim]: null } })),
          at(`${claim} is a date as a string.`, (now) => ({
            claims: { [claim]: toIsoTime(claim === 'exp' ? now + day : now - 60) },
          })),
          at(`${claim} is the only element of a list.`, (now) => ({
            claims: { [claim]: [claim === 'exp' ? now + day : now - 60] },
          })),
        ]),
        {
          ...at('nbf is true.', () => ({ claims: { nbf: true } })),
          fix: 'Require that nbf of the credential is a JSON number, not true or false: in Python, bool is a subclass of int.',
        },
        ...['validUntil', 'validFrom'].flatMap((member) => [
          at(`${member} is a number.`, (now) => ({
            vc: { [member]: member === 'validUntil' ? now + day : now - 60 },
          })),
          ...Object.entries(unreadableTimes).map(([what, change]) =>
            at(`${member} ${what}.`, () => ({
              vc: { [member]: change(member === 'validUntil' ? '2096' : '2020') },
            })),
          ),
          at(`${member} is null.`, () => ({ vc: { [member]: null } })),
        ]),
        inCredential({
          what: 'has an exp that is greater than each number of most languages',
          payload: (json) => json.replace(/"exp":\d+/, '"exp":1e999'),
        }),
        at('exp was an hour ago, in milliseconds, and there is no validUntil.', (now) => ({
          claims: { exp: (now - 3600) * 1000 },
          vc: { validUntil: undefined },
        })),
      ],
    },
    'V109-issued-at': {
      title: 'A credential without a time of its signature is rejected',
      level: 'practice',
      clauses: ['docs/assumptions.md, A-28'],
      description:
        'The key of the issuer must have been valid at iat. Without iat, or with a time in the future, that is unknown.',
      fix: 'Require iat in the credential, at most a minute in the future. If it is missing or later, reject the presentation: do not use the current time in its place.',
      presentations: [
        ...withDefects('issued-in-the-future', 'iat-absent'),
        at('iat is in ten minutes.', (now) => ({ claims: { iat: now + 600 } })),
        at('iat is in two minutes.', (now) => ({ claims: { iat: now + 120 } })),
      ],
    },
  }),
  ...acceptances({
    'V110-other-forms-of-times': {
      title: 'A credential with fractions or time zones in its times is accepted',
      level: 'final',
      clauses: ['RFC 7519, 2', 'W3C VC Data Model 2.0, 4.9'],
      description:
        'A NumericDate may have a fraction. validFrom and validUntil may have one too, and any time zone.',
      fix: 'Read exp, iat and nbf as numbers with fractions. Parse validFrom and validUntil with fractions and with any offset, and compare times, not strings.',
      presentations: [
        at('iat, nbf and exp have fractions.', (now) => ({
          claims: { iat: now - 60.5, nbf: now - 60.5, exp: now + day + 0.25 },
        })),
        at('validFrom and validUntil have fractions.', (now) => ({
          vc: {
            validFrom: toIsoTime(now - 60).replace('Z', '.123Z'),
            validUntil: toIsoTime(now + day).replace('Z', '.5Z'),
          },
        })),
        at('nbf is 0, and validFrom and validUntil are the last days of months.', () => ({
          claims: { nbf: 0 },
          vc: { validFrom: '2024-02-29T23:59:59Z', validUntil: '2096-12-31T23:59:59Z' },
        })),
        at('validUntil is in an hour, written with an offset of five hours.', (now) => ({
          vc: { validUntil: withOffset(now + 3600, -5) },
        })),
        at('validFrom was an hour ago, written with an offset of five hours.', (now) => ({
          vc: { validFrom: withOffset(now - 3600, 5) },
        })),
      ],
    },
    'V111-clock-of-the-issuer': {
      title: 'A credential of an issuer whose clock is a little fast is accepted',
      level: 'practice',
      clauses: ['docs/assumptions.md, A-28'],
      description:
        'Holders present a credential seconds after they received it. Without a tolerance, the login fails until the clock of the verifier has caught up.',
      fix: 'Tolerate an iat, an nbf and a validFrom of the credential that are up to a minute in the future.',
      presentations: [
        at('iat, nbf and validFrom are in 45 seconds.', (now) => ({
          claims: { iat: now + 45, nbf: now + 45 },
          vc: { validFrom: toIsoTime(now + 45) },
        })),
        at('There is no nbf and no validFrom.', () => ({
          claims: { nbf: undefined },
          vc: { validFrom: undefined },
        })),
      ],
    },
  }),
}

function at(what: string, change: (now: number) => CredentialChange): PresentationCase {
  return withDefect(what, { change: ({ now }) => change(now) })
}

/** A time in a time zone that is `hours` east of Greenwich. */
function withOffset(seconds: number, hours: number): string {
  const sign = hours < 0 ? '-' : '+'
  const offset = `${sign}${String(Math.abs(hours)).padStart(2, '0')}:00`
  return toIsoTime(seconds + hours * 3600).replace('Z', offset)
}
