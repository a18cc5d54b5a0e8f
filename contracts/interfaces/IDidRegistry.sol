// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

// @assumption A-15
/**
 * @title Registry of decentralized identifiers and their DID documents.
 * @notice The raw secp256k1 keys with an active capabilityInvocation in one of a DID's controllers
 * control the DID.
 * Times are Unix seconds; a validity window includes both of its ends.
 * A `didHash` is keccak256 of a DID; a `vMethodId` is the 32 bytes that a DID document shows as 43
 * characters of base64url.
 * @custom:row 2.events.1 2.events.2
 */
interface IDidRegistry {
    /// @notice How a public key is stored: 64 bytes X then Y on secp256k1, or a serialized JWK of
    /// any curve.
    enum PublicKeyType {
        Secp256k1,
        JsonWebKey2020
    }

    /// @notice The uses of a verification method.
    enum Relationship {
        Authentication,
        AssertionMethod,
        KeyAgreement,
        CapabilityInvocation,
        CapabilityDelegation
    }

    /// @notice A control key with the proof that its holder consents to its registration.
    struct ControlKey {
        bytes32 vMethodId;
        bytes proof;
        bytes publicKey;
        uint64 notBefore;
        uint64 notAfter;
    }

    /// @notice A key that replaces another one; `duration` is the overlap in seconds.
    struct SuccessorKey {
        bytes32 vMethodId;
        PublicKeyType publicKeyType;
        bytes publicKey;
        uint64 notBefore;
        uint64 notAfter;
        uint64 duration;
    }

    /**
     * @notice A verification method at one time; bit i of `relationships` represents Relationship
     * i.
     * Zero means that the method is registered without a use.
     */
    struct VerificationMethod {
        bytes32 vMethodId;
        PublicKeyType publicKeyType;
        uint8 relationships;
        bytes publicKey;
    }

    /// @notice A DID document at one time; `controllers` are the accounts that were in control
    /// then.
    struct DidDocument {
        string baseDocument;
        string alsoKnownAs;
        address[] controllers;
        VerificationMethod[] verificationMethods;
    }

    /**
     * @notice `node` may register new DIDs from now on.
     * @param node account of the onboarding node
     */
    event OnboardingNodeAuthorized(address indexed node);

    /**
     * @notice `node` may no longer register new DIDs.
     * @param node account of the onboarding node
     */
    event OnboardingNodeWithdrawn(address indexed node);

    /**
     * @notice `did` was registered with its first control key.
     * @param didHash keccak256 of the DID
     * @param vMethodId the verification method
     * @param did the DID
     * @param baseDocument serialized JSON with the @context
     * @param alsoKnownAs the alternative identifier
     * @param notBefore first second of the validity
     * @param notAfter last second of the validity
     */
    event FirstDidDocumentInserted(
        bytes32 indexed didHash,
        bytes32 indexed vMethodId,
        string did,
        string baseDocument,
        string alsoKnownAs,
        uint64 notBefore,
        uint64 notAfter
    );

    /**
     * @notice The base document and the control key of `did` were replaced.
     * @param didHash keccak256 of the DID
     * @param vMethodId the verification method
     * @param did the DID
     * @param baseDocument serialized JSON with the @context
     * @param notBefore first second of the validity
     * @param notAfter last second of the validity
     */
    event DidDocumentInserted(
        bytes32 indexed didHash,
        bytes32 indexed vMethodId,
        string did,
        string baseDocument,
        uint64 notBefore,
        uint64 notAfter
    );

    /**
     * @notice The base document of `did` was replaced.
     * @param didHash keccak256 of the DID
     * @param did the DID
     * @param baseDocument serialized JSON with the @context
     */
    event BaseDocumentUpdated(bytes32 indexed didHash, string did, string baseDocument);

    /**
     * @notice The alternative identifier of `did` was replaced.
     * @param didHash keccak256 of the DID
     * @param did the DID
     * @param alsoKnownAs the alternative identifier
     */
    event AlsoKnownAsUpdated(bytes32 indexed didHash, string did, string alsoKnownAs);

    /**
     * @notice `controller` controls `did` from now on.
     * @param didHash keccak256 of the DID
     * @param controllerHash keccak256 of the controller's DID
     * @param did the DID
     * @param controller the controller's DID
     */
    event ControllerAdded(bytes32 indexed didHash, bytes32 indexed controllerHash, string did, string controller);

    /**
     * @notice `controller` no longer controls `did`.
     * @param didHash keccak256 of the DID
     * @param controllerHash keccak256 of the controller's DID
     * @param did the DID
     * @param controller the controller's DID
     */
    event ControllerRevoked(bytes32 indexed didHash, bytes32 indexed controllerHash, string did, string controller);

    /**
     * @notice A verification method was registered, by addVerificationMethod or as part of another
     * operation, whose own event comes first. Each of its uses has a separate
     * VerificationRelationshipAdded.
     * @param didHash keccak256 of the DID
     * @param vMethodId the verification method
     * @param did the DID
     * @param publicKeyType form of the key
     */
    event VerificationMethodAdded(
        bytes32 indexed didHash,
        bytes32 indexed vMethodId,
        string did,
        PublicKeyType publicKeyType
    );

    /**
     * @notice A verification method was revoked; signatures made after `notAfter` are not valid.
     * @param didHash keccak256 of the DID
     * @param vMethodId the verification method
     * @param did the DID
     * @param notAfter last second of the validity
     */
    event VerificationMethodRevoked(bytes32 indexed didHash, bytes32 indexed vMethodId, string did, uint64 notAfter);

    /**
     * @notice A verification method reached its planned end; signatures made after `notAfter` are
     * not valid.
     * @param didHash keccak256 of the DID
     * @param vMethodId the verification method
     * @param did the DID
     * @param notAfter last second of the validity
     */
    event VerificationMethodExpired(bytes32 indexed didHash, bytes32 indexed vMethodId, string did, uint64 notAfter);

    /**
     * @notice `vMethodId` replaced `oldVMethodId` in its relationships; the old method ends at
     * `oldNotAfter` at the latest.
     * @param didHash keccak256 of the DID
     * @param vMethodId the new verification method
     * @param oldVMethodId the replaced verification method
     * @param did the DID
     * @param notBefore first second of the validity
     * @param notAfter last second of the validity
     * @param oldNotAfter last second of the old method
     */
    event VerificationMethodRolled(
        bytes32 indexed didHash,
        bytes32 indexed vMethodId,
        bytes32 indexed oldVMethodId,
        string did,
        uint64 notBefore,
        uint64 notAfter,
        uint64 oldNotAfter
    );

    /**
     * @notice A verification method has the use `relationship` from `notBefore` to `notAfter`, by
     * addVerificationRelationship or as part of another operation, whose own event comes first.
     * @param didHash keccak256 of the DID
     * @param vMethodId the verification method
     * @param did the DID
     * @param relationship the use
     * @param notBefore first second of the validity
     * @param notAfter last second of the validity
     */
    event VerificationRelationshipAdded(
        bytes32 indexed didHash,
        bytes32 indexed vMethodId,
        string did,
        Relationship relationship,
        uint64 notBefore,
        uint64 notAfter
    );

    /// @notice The zero address can be neither the operator nor an onboarding node.
    error DidRegistryZeroAddress();

    /**
     * @notice Only the operator may do this.
     * @param caller the signer
     */
    error DidRegistryNotOperator(address caller);

    /**
     * @notice The caller is not an authorized onboarding node.
     * @param caller the signer
     */
    error DidRegistryNotOnboardingNode(address caller);

    /**
     * @notice The onboarding node is already authorized.
     * @param node account of the onboarding node
     */
    error DidRegistryOnboardingNodeAlreadyAuthorized(address node);

    /**
     * @notice The onboarding node is not authorized, so its authorization cannot be withdrawn.
     * @param node account of the onboarding node
     */
    error DidRegistryOnboardingNodeNotAuthorized(address node);

    /**
     * @notice The DID is already registered.
     * @param did the DID
     */
    error DidRegistryDidAlreadyRegistered(string did);

    /**
     * @notice The DID is not registered.
     * @param did the DID
     */
    error DidRegistryDidNotRegistered(string did);

    /**
     * @notice The proof yields `expected` instead of `did`.
     * @param did the DID to register
     * @param expected the DID that the proof yields
     */
    error DidRegistryDidMismatch(string did, string expected);

    /**
     * @notice The caller does not have a key that currently controls the DID.
     * @param did the DID
     * @param caller the signer
     */
    error DidRegistryNotController(string did, address caller);

    /**
     * @notice The controller is already present.
     * @param did the DID
     * @param controller the controller's DID
     */
    error DidRegistryControllerAlreadyAdded(string did, string controller);

    /**
     * @notice The controller is not present.
     * @param did the DID
     * @param controller the controller's DID
     */
    error DidRegistryControllerNotAdded(string did, string controller);

    /**
     * @notice The last controller of a DID cannot be revoked.
     * @param did the DID
     * @param controller the controller's DID
     */
    error DidRegistryLastController(string did, string controller);

    /**
     * @notice No DID was registered with a proof by the key of this account.
     * @param account address of a key
     */
    error DidRegistryAccountNotRegistered(address account);

    /**
     * @notice The public key does not have the form of its type, or is not a point of the curve.
     * @param publicKey the given key
     */
    error DidRegistryInvalidPublicKey(bytes publicKey);

    /**
     * @notice The proof is not a low-S signature r, s, v over the hash of the public key by this
     * key.
     * @param proof the given proof
     */
    error DidRegistryInvalidProof(bytes proof);

    /**
     * @notice A validity must end after it starts.
     * @param notBefore first second of the validity
     * @param notAfter last second of the validity
     */
    error DidRegistryInvalidValidity(uint64 notBefore, uint64 notAfter);

    /**
     * @notice A control key must be valid now or later, but its validity is completely in the past.
     * @param notAfter the end in the past
     * @param currentTime the block's time
     */
    error DidRegistryValidityInThePast(uint64 notAfter, uint64 currentTime);

    /**
     * @notice A roll must leave both keys an end that is not in the past.
     * @param notAfter the end in the past
     * @param currentTime the block's time
     */
    error DidRegistryRollInThePast(uint64 notAfter, uint64 currentTime);

    /**
     * @notice The verification method identifier is already in use.
     * @param did the DID
     * @param vMethodId the verification method
     */
    error DidRegistryVerificationMethodAlreadyAdded(string did, bytes32 vMethodId);

    /**
     * @notice The verification method does not exist.
     * @param did the DID
     * @param vMethodId the verification method
     */
    error DidRegistryVerificationMethodNotAdded(string did, bytes32 vMethodId);

    /**
     * @notice The verification method was revoked: it cannot get new relationships or be rolled
     * from.
     * @param did the DID
     * @param vMethodId the verification method
     */
    error DidRegistryVerificationMethodIsRevoked(string did, bytes32 vMethodId);

    /**
     * @notice Only a raw secp256k1 key can have a capabilityInvocation, since only such a key signs
     * transactions.
     * @param did the DID
     * @param vMethodId the verification method
     */
    error DidRegistryNotControlKey(string did, bytes32 vMethodId);

    /**
     * @notice Allows `node` to register new DIDs. Operator only.
     * @param node account of the onboarding node
     */
    function authorizeOnboardingNode(address node) external;

    /**
     * @notice Ends the permission of `node` to register new DIDs. Operator only.
     * @param node account of the onboarding node
     */
    function withdrawOnboardingNode(address node) external;

    /**
     * @notice Registers a DID with its first control key, which gets capabilityInvocation and authentication;
     * the DID becomes its own controller. Authorized onboarding nodes only.
     * @param did the DID that the key's proof yields
     * @param baseDocument serialized JSON with the @context
     * @param key the control key, its proof and its validity
     * @param alternativeIdentifier value of alsoKnownAs
     */
    function insertFirstDidDocument(
        string calldata did,
        string calldata baseDocument,
        ControlKey calldata key,
        string calldata alternativeIdentifier
    ) external;

    /**
     * @notice Replaces the base document and the control key. Other methods, controllers and
     * alsoKnownAs stay.
     * The keys of earlier documents, their successors, and keys whose validity has not started end
     * one second before the new key starts, but not before the last second.
     * The new key is valid from its notBefore, which may be in the past.
     * The same key under the same identifier is an update: its control windows are replaced, its
     * other uses stay.
     * @param did a registered DID that the caller controls
     * @param baseDocument serialized JSON with the @context
     * @param key the control key, a proof of its possession, and its validity
     */
    function insertDidDocument(string calldata did, string calldata baseDocument, ControlKey calldata key) external;

    /**
     * @notice Replaces the base document.
     * @param did a registered DID that the caller controls
     * @param baseDocument serialized JSON with the @context
     */
    function updateBaseDocument(string calldata did, string calldata baseDocument) external;

    /**
     * @notice Replaces the alternative identifier. The operator may also do this.
     * @param did a registered DID that the caller controls
     * @param alternativeIdentifier value of alsoKnownAs
     */
    function updateAlsoKnownAs(string calldata did, string calldata alternativeIdentifier) external;

    /**
     * @notice Allows the control keys of another DID to control `did`.
     * @param did a registered DID that the caller controls
     * @param controller a registered DID
     */
    function addController(string calldata did, string calldata controller) external;

    /**
     * @notice Like addController, with the controller given by the account of the key whose proof
     * registered it.
     * @param did a registered DID that the caller controls
     * @param account address of the key that made the controller's registration proof
     */
    function addControllerByAccount(string calldata did, address account) external;

    /**
     * @notice Ends the control of a controller. The last one cannot be revoked.
     * @param did a registered DID that the caller controls
     * @param controller a DID that controls `did`
     */
    function revokeController(string calldata did, string calldata controller) external;

    /**
     * @notice Like revokeController, with the controller given by the account of the key whose
     * proof registered it.
     * @param did a registered DID that the caller controls
     * @param account address of the key that made the controller's registration proof
     */
    function revokeControllerByAccount(string calldata did, address account) external;

    /**
     * @notice Registers a verification method. Requires no proof of possession, and the method has
     * no use until it gets a relationship. Documents list it from this block on, until it is
     * revoked, expired or replaced.
     * @param did a registered DID that the caller controls
     * @param vMethodId an identifier that was never used in this DID
     * @param publicKeyType form of the key
     * @param publicKey 65 bytes 0x04, X, Y for Secp256k1; a serialized JWK otherwise
     */
    function addVerificationMethod(
        string calldata did,
        bytes32 vMethodId,
        PublicKeyType publicKeyType,
        bytes calldata publicKey
    ) external;

    /**
     * @notice Allows the use `relationship` of a verification method in a further window.
     * @param did a registered DID that the caller controls
     * @param relationship the use; capabilityInvocation only for raw secp256k1 keys
     * @param vMethodId a verification method that is not revoked
     * @param notBefore first second of the window, which may be in the past
     * @param notAfter last second of the window
     */
    function addVerificationRelationship(
        string calldata did,
        Relationship relationship,
        bytes32 vMethodId,
        uint64 notBefore,
        uint64 notAfter
    ) external;

    /**
     * @notice Ends every use of a verification method, and its listing, permanently at `notAfter`,
     * or at its own end if that is earlier.
     * @param did a registered DID that the caller controls
     * @param vMethodId the verification method
     * @param notAfter last second in which it was valid; may be in the past or in the future
     */
    function revokeVerificationMethod(string calldata did, bytes32 vMethodId, uint64 notAfter) external;

    /**
     * @notice Ends every current use of a verification method, and its listing, at `notAfter`, or
     * at its own end if that is earlier.
     * @param did a registered DID that the caller controls
     * @param vMethodId the verification method
     * @param notAfter last second in which it is valid; may be in the past or in the future
     */
    function expireVerificationMethod(string calldata did, bytes32 vMethodId, uint64 notAfter) external;

    /**
     * @notice Registers a key that takes over every use of another key that has not ended yet. The
     * old key's uses end `duration` seconds after the start of the new key, or at their own end if
     * that is earlier.
     * @param did a registered DID that the caller controls
     * @param oldVMethodId the verification method to roll from, not revoked
     * @param successor the new key, its validity and the overlap
     */
    function rollVerificationMethod(
        string calldata did,
        bytes32 oldVMethodId,
        SuccessorKey calldata successor
    ) external;

    /**
     * @notice The DID document as of `time`: the keys that were registered and valid then according
     * to current knowledge, and the base document, the controlling DIDs and alsoKnownAs as recorded
     * then. A verification method is listed from its registration to its end, and while it has a
     * relationship.
     * @param did the DID
     * @param time Unix seconds
     * @return found whether the DID was registered at `time`
     * @return document the document; empty if not found
     */
    function resolveAt(string calldata did, uint64 time) external view returns (bool found, DidDocument memory document);

    /**
     * @notice The DID document as of `time`, or of the block's time if that is later.
     * @param did the DID
     * @param time Unix seconds, the reader's present
     * @return found whether the DID is registered
     * @return document the document; empty if not found
     */
    function resolve(string calldata did, uint64 time) external view returns (bool found, DidDocument memory document);

    /**
     * @notice Whether `account` currently controls `did`. False for a DID that is not registered.
     * @param did the DID
     * @param account address of a key
     */
    function isController(string calldata did, address account) external view returns (bool);

    /**
     * @notice The DIDs that control `did`, in no particular order. Empty for a DID that is not registered.
     * @param did the DID
     */
    function controllersOf(string calldata did) external view returns (string[] memory);

    /**
     * @notice The DID that the key of `account` registered with its proof, or an empty string.
     * @param account address of a key
     */
    function didOfAccount(address account) external view returns (string memory);

    /**
     * @notice A page of the registered DIDs in the order of their registration.
     * @param offset how many DIDs to skip
     * @param limit how many DIDs to return at most
     * @return total number of registered DIDs
     * @return page the DIDs
     */
    function identifiers(uint256 offset, uint256 limit) external view returns (uint256 total, string[] memory page);

    /**
     * @notice Whether `node` may register new DIDs.
     * @param node account of the onboarding node
     */
    function isOnboardingNode(address node) external view returns (bool);

    /// @notice The account that authorizes onboarding nodes.
    function operator() external view returns (address);

    /// @notice The prefix of every DID of this registry, for example `did:org:uc-pre:`.
    function didPrefix() external view returns (string memory);
}
