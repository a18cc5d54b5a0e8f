import type { ForeignSystem, Note } from './foreign-system.ts'
import { runPlanAgainst } from './run-plan-against.ts'
import { runRelyingParty } from './run-relying-party.ts'

/** Of both wallets, which are made of the same packages of oid4vc-ts. */
const ofBothWallets: readonly Note[] = [
  {
    checks: ['W09', 'W10', 'W80'],
    cause: 'defect',
    text: 'What an offer names is looked up in the metadata only after the token was asked for, and the suites of draft 11 are read and not looked at.',
  },
  {
    checks: ['W60', 'W61', 'W62', 'W63'],
    cause: 'left out',
    text: 'The packages fetch with whatever function they are given: fetch itself follows redirects and reads to the end.',
  },
]

/** All that are recorded. */
export const foreignSystems: readonly ForeignSystem[] = [
  {
    name: 'oid4vc-ts-wallet',
    packages: ['@openid4vc/openid4vci', '@openid4vc/openid4vp', '@openid4vc/oauth2'],
    notes: [
      ...ofBothWallets,
      {
        checks: ['W15'],
        cause: 'dialect',
        text: 'Deferral is a transaction_id there (OpenID4VCI draft 12 and later); the acceptance_token of draft 11 is not known.',
      },
      {
        checks: ['W32'],
        cause: 'dialect',
        text: 'A client_id that is an https address stands for OpenID Federation there, as in drafts from 22 on, and needs a signed request; the profile takes any identifier.',
      },
      {
        checks: ['W41'],
        cause: 'defect',
        text: 'OpenID4VP 1.0, 8.2, has such a request refused as invalid_request.',
      },
      {
        checks: ['W13', 'W91'],
        cause: 'left out',
        text: 'Trying again, and asking for further credentials, is left to who uses the packages.',
      },
      {
        checks: ['W73'],
        cause: 'left out',
        text: 'The packages leave queries to dcql, which refuses those of the profile; the glue looks at types and paths alone.',
      },
      {
        checks: [
          ...['W17', 'W18', 'W19', 'W20', 'W21', 'W22', 'W23', 'W24', 'W25'],
          ...['W64', 'W65', 'W66', 'W67', 'W68', 'W70'],
        ],
        cause: 'left out',
        text: 'The packages hand credentials over and judge none, and neither does the glue.',
      },
    ],
    run: (options) =>
      runPlanAgainst({ plan: 'wallet', targetFile: 'target-over-http.yaml' }, options),
  },
  {
    name: 'oid4vc-ts-issuer',
    packages: ['@openid4vc/openid4vci', '@openid4vc/oauth2', 'did-jwt', 'key-did-resolver'],
    notes: [
      {
        checks: ['I19'],
        cause: 'left out',
        text: 'The packages compare a PIN and count nothing.',
      },
      {
        checks: ['I31', 'I32', 'I42'],
        cause: 'left out',
        text: 'The packages hold typ, aud and nonce of a proof against what they expect. Its signature they leave to who uses them, and did-jwt takes any algorithm and a kid without fragment; of iat nobody takes care.',
      },
      {
        checks: ['I45'],
        cause: 'dialect',
        text: 'Later revisions have a nonce endpoint for that, and no c_nonce with a refusal.',
      },
    ],
    run: (options) => runPlanAgainst({ plan: 'issuer' }, options),
  },
  {
    name: 'oid4vc-ts-verifier',
    packages: ['@openid4vc/openid4vp', '@openid4vc/oauth2', 'did-jwt', 'key-did-resolver'],
    notes: [
      {
        checks: [
          ...['V06', 'V10', 'V16', 'V18', 'V52', 'V67'],
          ...['V68', 'V69', 'V70', 'V71', 'V72'],
        ],
        cause: 'left out',
        text: 'Presentations are handed over; did-jwt verifies the signature, and of times and audience what is there.',
      },
      {
        checks: ['V19', 'V53', 'V73', 'V89'],
        cause: 'dialect',
        text: 'OpenID4VP 1.0 has no presentation_submission beside a dcql_query, and nobody reads it here.',
      },
      {
        checks: [
          ...['V21', 'V23', 'V24', 'V25', 'V26', 'V27', 'V29'],
          ...['V31', 'V77', 'V78', 'V85'],
        ],
        cause: 'left out',
        text: 'Credentials are data to all packages here; did-jwt verifies the signature by the keys that the issuer has now.',
      },
      {
        checks: [
          ...['V35', 'V36', 'V37', 'V38', 'V39', 'V40', 'V41', 'V42', 'V44', 'V46'],
          ...['V75', 'V79', 'V80', 'V87'],
        ],
        cause: 'left out',
        text: 'No package here knows trusted-issuers registries.',
      },
      {
        checks: ['V43', 'V81', 'V82'],
        cause: 'left out',
        text: 'No package here reads status lists.',
      },
      {
        checks: ['V84'],
        cause: 'dialect',
        text: 'A state in the request has to come back in the response (OpenID4VP 1.0, 8.2, and OAuth 2.0); the profile knows no state.',
      },
      {
        checks: ['V91'],
        cause: 'dialect',
        text: 'OpenID4VP 1.0 has vp_formats_supported in client_metadata instead.',
      },
    ],
    run: (options) => runPlanAgainst({ plan: 'verifier' }, options),
  },
  {
    name: 'credo-wallet',
    packages: ['@credo-ts/core', '@credo-ts/openid4vc'],
    hasOwnPackages: true,
    notes: [
      ...ofBothWallets,
      {
        checks: ['W01', 'W03', 'W23'],
        cause: 'dialect',
        text: 'jwt_vc_json is a credential of data model 1.1 there, as OpenID4VCI 1.0, A.1.1, has it: Credo gets as far as the credential, and refuses its @context of 2.0. What comes after that can’t be decided.',
      },
    ],
    run: (options) => runPlanAgainst({ plan: 'wallet' }, options),
  },
  {
    name: 'oidc-provider',
    packages: ['oidc-provider'],
    notes: [
      {
        checks: ['O01'],
        cause: 'dialect',
        text: 'Its list of grant types follows from what it can do, and can’t be set; our own IDP answers discovery itself.',
      },
      {
        checks: ['O26', 'O27'],
        cause: 'dialect',
        text: 'OpenID Connect knows neither address.',
      },
    ],
    run: (options) => runPlanAgainst({ plan: 'idp' }, options),
  },
  {
    name: 'openid-client-relying-party',
    packages: ['openid-client'],
    notes: [],
    run: runRelyingParty,
  },
]
