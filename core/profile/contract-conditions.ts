import { paragraphOf } from './paragraph.ts'

/** A condition of a contract, and where the profile describes it. */
export interface ContractCondition {
  readonly statement: string
  /** `docs/profile/PAGE.md#ANCHOR` */
  readonly paragraph: string
}

const permission = '2.authentication.1'
const states = '2.states-and-transitions'

/** By the error of the contract without its prefix, `DidRegistry` or `TrustedIssuersRegistry`. */
const conditions: Readonly<Record<string, readonly [statement: string, place: string]>> = {
  NotOperator: ['The operator signs the transaction.', permission],
  NotOnboardingNode: ['An authorized onboarding node signs the registration.', `${states}.1`],
  DidAlreadyRegistered: ['The DID is not registered yet.', `${states}.1`],
  DidNotRegistered: ['The DID is registered.', `${states}.2`],
  DidMismatch: ['The DID is derived from the key in the proof.', 'did-registry.md#first-document'],
  InvalidProof: [
    'The proof is a signature by the key to register.',
    'did-registry.md#first-document',
  ],
  InvalidPublicKey: ['The public key has the form of its type.', 'did-registry.md#keys'],
  NotController: ['A key that currently controls the DID signs the transaction.', permission],
  AccountNotRegistered: ['A DID was registered with the key of the account.', permission],
  LastController: ['The DID keeps at least one controller.', '2.endpoints/did-registry.8'],
  ControllerAlreadyAdded: ['The controller is not present yet.', '2.endpoints/did-registry.15'],
  ControllerNotAdded: ['The controller is present.', '2.endpoints/did-registry.8'],
  InvalidValidity: ['notBefore is before notAfter.', 'did-registry.md#keys'],
  ValidityInThePast: ['The key is valid now or later.', 'did-registry.md#keys'],
  RollInThePast: ['After a roll, both keys end in the future.', `${states}.6`],
  VerificationMethodAlreadyAdded: ['The id of the key is unused.', `${states}.3`],
  VerificationMethodNotAdded: ['The DID document has the key.', `${states}.4`],
  VerificationMethodIsRevoked: ['The key is not revoked.', `${states}.4`],
  NotControlKey: ['A key that controls the DID is a secp256k1 key.', 'did-registry.md#keys'],
  EmptyDid: ['did is not empty.', 'tir.md#setattributemetadata'],
  InvalidIssuerType: [
    'issuerType is ROOT_TAO, TAO, TI or REVOKED.',
    '2.resources-and-their-fields/types-used-in-the-tir.4',
  ],
  NotAuthorized: [
    'The sender controls the accrediting DID; for data, it may also control the accredited one.',
    'trust-chain.md#publish-an-accreditation',
  ],
  NotAccredited: [
    'The accrediting organization has an active accreditation as ROOT_TAO or TAO.',
    'trust-chain.md#publish-an-accreditation',
  ],
  AttributeNotPublished: ['The attribute is published.', '2.endpoints/tir.13'],
  AttributeIsRevoked: ['The attribute is not revoked.', `${states}.7`],
  AttributeIsImmutable: ['A published attribute keeps its values.', `${states}.7`],
  EmptyData: ['attributeData is not empty.', '2.endpoints/tir.11'],
}

/**
 * The condition that a reverted transaction did not meet, by the name of the contract's error, such
 * as `DidRegistryNotController`. For other errors, it is that the contract accepts the call.
 */
export function conditionOf(errorName: string): ContractCondition {
  const name = errorName.replace(/^(DidRegistry|TrustedIssuersRegistry)/, '')
  const known = Object.hasOwn(conditions, name) ? conditions[name] : undefined
  const [statement, place] = known ?? ['The contract accepts the call.', `${states}.9`]
  return {
    statement,
    paragraph: place.includes('#') ? `docs/profile/${place}` : paragraphOf(place),
  }
}
