// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

// @assumption A-15
/**
 * @title Registry of decentralized identifiers and their DID documents.
 * @notice A DID is controlled by the raw secp256k1 keys that have an active capabilityInvocation in one of
 * its controlling DIDs. Times are Unix seconds; a validity window includes both of its ends.
 * A `didHash` is keccak256 of a DID; a `vMethodId` is the 32 bytes that a DID document prints as 43
 * characters of base64url.
 * @custom:row 2.events.1 2.events.2
 */
interface IDidRegistry {
    /// @notice How a public key is stored: 64 bytes X then Y on secp256k1, or a serialized JWK of any curve.
    enum PublicKeyType {
        Secp256k1,
        JsonWebKey2020
    }

    /// @notice What a verification method may be used for.
    enum Relationship {
        Authentication,
        AssertionMethod,
        KeyAgreement,
        CapabilityInvocation,
        CapabilityDelegation
    }

    /// @notice A control key together with the proof that its holder agrees to its registration.
    struct ControlKey {
        bytes32 vMethodId;
        bytes proof;
        bytes publicKey;
        uint64 notBefore;
        uint64 notAfter;
    }

    /// @notice A key that takes over from another one; `duration` is the overlap in seconds.
    struct SuccessorKey {
        bytes32 vMethodId;
        PublicKeyType publicKeyType;
        bytes publicKey;
        uint64 notBefore;
        uint64 notAfter;
        uint64 duration;
    }

    /**
     * @notice A verification method at one instant; bit i of `relationships` stands for Relationship i.
     * Zero means that the method is registered and has no use.
     */
    struct VerificationMethod {
        bytes32 vMethodId;
        PublicKeyType publicKeyType;
        uint8 relationships;
        bytes publicKey;
    }

    /// @notice A DID document at one instant; `controllers` are the accounts that were in control then.
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
     * @param baseDocument serialized JSON that holds the @context
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
     * @param baseDocument serialized JSON that holds the @context
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
     * @param baseDocument serialized JSON that holds the @context
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
     * @notice A verification method was registered, by addVerificationMethod or as part of another operation,
     * whose own event comes first. Each use that it gets has a VerificationRelationshipAdded of its own.
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
     * @notice A verification method came to its natural end; signatures made after `notAfter` are not valid.
     * @param didHash keccak256 of the DID
     * @param vMethodId the verification method
     * @param did the DID
     * @param notAfter last second of the validity
     */
    event VerificationMethodExpired(bytes32 indexed didHash, bytes32 indexed vMethodId, string did, uint64 notAfter);

    /**
     * @notice `vMethodId` took over the relationships of `oldVMethodId`, which ends at `oldNotAfter` at the latest.
     * @param didHash keccak256 of the DID
     * @param vMethodId the verification method that took over
     * @param oldVMethodId the verification method that was rolled from
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
     * @notice A verification method may be used for `relationship` from `notBefore` to `notAfter`, by
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

    /// @notice The zero address can neither operate the registry nor onboard.
    error DidRegistryZeroAddress();

    /**
     * @notice Only the operator may do this.
     * @param caller the signer
     */
    error DidRegistryNotOperator(address caller);

    /**
     * @notice The caller is no authorized onboarding node.
     * @param caller the signer
     */
    error DidRegistryNotOnboardingNode(address caller);

    /**
     * @notice The onboarding node is authorized already.
     * @param node account of the onboarding node
     */
    error DidRegistryOnboardingNodeAlreadyAuthorized(address node);

    /**
     * @notice The onboarding node is not authorized, so nothing can be withdrawn.
     * @param node account of the onboarding node
     */
    error DidRegistryOnboardingNodeNotAuthorized(address node);

    /**
     * @notice The DID is registered already.
     * @param did the DID
     */
    error DidRegistryDidAlreadyRegistered(string did);

    /**
     * @notice The DID is not registered.
     * @param did the DID
     */
    error DidRegistryDidNotRegistered(string did);

    /**
     * @notice The proof derives `expected` and not `did`.
     * @param did the DID that was to be registered
     * @param expected the DID that the proof derives
     */
    error DidRegistryDidMismatch(string did, string expected);

    /**
     * @notice The caller holds no key that controls the DID now.
     * @param did the DID
     * @param caller the signer
     */
    error DidRegistryNotController(string did, address caller);

    /**
     * @notice The controller is there already.
     * @param did the DID
     * @param controller the controller's DID
     */
    error DidRegistryControllerAlreadyAdded(string did, string controller);

    /**
     * @notice The controller is not there.
     * @param did the DID
     * @param controller the controller's DID
     */
    error DidRegistryControllerNotAdded(string did, string controller);

    /**
     * @notice A DID always keeps one controller.
     * @param did the DID
     * @param controller the controller's DID
     */
    error DidRegistryLastController(string did, string controller);

    /**
     * @notice No DID was registered with a proof made by the key of this account.
     * @param account address of a key
     */
    error DidRegistryAccountNotRegistered(address account);

    /**
     * @notice The public key is not of the form that its type demands, or not a point of the curve.
     * @param publicKey the key as it was given
     */
    error DidRegistryInvalidPublicKey(bytes publicKey);

    /**
     * @notice The proof is no low-S signature r, s, v over the hash of the public key by its own key.
     * @param proof the proof as it was given
     */
    error DidRegistryInvalidProof(bytes proof);

    /**
     * @notice A validity has to end after it begins.
     * @param notBefore first second of the validity
     * @param notAfter last second of the validity
     */
    error DidRegistryInvalidValidity(uint64 notBefore, uint64 notAfter);

    /**
     * @notice A control key has to be valid now or later: its validity lies wholly in the past.
     * @param notAfter the end that lies in the past
     * @param currentTime the block's time
     */
    error DidRegistryValidityInThePast(uint64 notAfter, uint64 currentTime);

    /**
     * @notice A roll has to leave both keys an end that is not in the past.
     * @param notAfter the end that lies in the past
     * @param currentTime the block's time
     */
    error DidRegistryRollInThePast(uint64 notAfter, uint64 currentTime);

    /**
     * @notice The verification method identifier is in use already.
     * @param did the DID
     * @param vMethodId the verification method
     */
    error DidRegistryVerificationMethodAlreadyAdded(string did, bytes32 vMethodId);

    /**
     * @notice There is no such verification method.
     * @param did the DID
     * @param vMethodId the verification method
     */
    error DidRegistryVerificationMethodNotAdded(string did, bytes32 vMethodId);

    /**
     * @notice The verification method was revoked: it takes no new relationship and can't be rolled from.
     * @param did the DID
     * @param vMethodId the verification method
     */
    error DidRegistryVerificationMethodIsRevoked(string did, bytes32 vMethodId);

    /**
     * @notice Only a raw secp256k1 key can have a capabilityInvocation, since only such a key signs transactions.
     * @param did the DID
     * @param vMethodId the verification method
     */
    error DidRegistryNotControlKey(string did, bytes32 vMethodId);

    /**
     * @notice Lets `node` register new DIDs. Operator only.
     * @param node account of the onboarding node
     */
    function authorizeOnboardingNode(address node) external;

    /**
     * @notice Ends the right of `node` to register new DIDs. Operator only.
     * @param node account of the onboarding node
     */
    function withdrawOnboardingNode(address node) external;

    /**
     * @notice Registers a DID with its first control key, which gets capabilityInvocation and authentication;
     * the DID becomes its own controller. Authorized onboarding nodes only.
     * @param did the DID that the key's proof derives
     * @param baseDocument serialized JSON that holds the @context
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
     * @notice Replaces the base document and the control key. Other methods, controllers and alsoKnownAs stay.
     * What is replaced ends one second before the new key begins, and not before the last second: the keys
     * of earlier documents, those that they were rolled to, and those that still wait for their beginning.
     * The new key is valid from its notBefore, which may lie in the past.
     * The same key under the same identifier is an update: its control windows are replaced, its other uses stay.
     * @param did a registered DID that the caller controls
     * @param baseDocument serialized JSON that holds the @context
     * @param key the control key, a proof of its possession, and its validity
     */
    function insertDidDocument(string calldata did, string calldata baseDocument, ControlKey calldata key) external;

    /**
     * @notice Replaces the base document.
     * @param did a registered DID that the caller controls
     * @param baseDocument serialized JSON that holds the @context
     */
    function updateBaseDocument(string calldata did, string calldata baseDocument) external;

    /**
     * @notice Replaces the alternative identifier. The operator may do this too.
     * @param did a registered DID that the caller controls
     * @param alternativeIdentifier value of alsoKnownAs
     */
    function updateAlsoKnownAs(string calldata did, string calldata alternativeIdentifier) external;

    /**
     * @notice Lets the control keys of another DID control `did`.
     * @param did a registered DID that the caller controls
     * @param controller a registered DID
     */
    function addController(string calldata did, string calldata controller) external;

    /**
     * @notice As addController, naming the controller by the account of the key whose proof registered it.
     * @param did a registered DID that the caller controls
     * @param account address of the key that made the controller's registration proof
     */
    function addControllerByAccount(string calldata did, address account) external;

    /**
     * @notice Ends the control of a controller. The last one can't be revoked.
     * @param did a registered DID that the caller controls
     * @param controller a DID that controls `did`
     */
    function revokeController(string calldata did, string calldata controller) external;

    /**
     * @notice As revokeController, naming the controller by the account of the key whose proof registered it.
     * @param did a registered DID that the caller controls
     * @param account address of the key that made the controller's registration proof
     */
    function revokeControllerByAccount(string calldata did, address account) external;

    /**
     * @notice Registers a verification method. Its possession is not proved, and it has no use until a
     * relationship names it. Documents list it from this block on, until it is revoked, expired or replaced.
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
     * @notice Lets a verification method be used for `relationship` in a further window.
     * @param did a registered DID that the caller controls
     * @param relationship the use; capabilityInvocation for raw secp256k1 keys alone
     * @param vMethodId a verification method that is not revoked
     * @param notBefore first second of the window, which may lie in the past
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
     * @notice Ends every use of a verification method, and its listing, at `notAfter`, or earlier where it ended
     * before, for good.
     * @param did a registered DID that the caller controls
     * @param vMethodId the verification method
     * @param notAfter last second in which it was valid; may lie in the past or in the future
     */
    function revokeVerificationMethod(string calldata did, bytes32 vMethodId, uint64 notAfter) external;

    /**
     * @notice Ends every present use of a verification method, and its listing, at `notAfter`, or earlier where it
     * ended before.
     * @param did a registered DID that the caller controls
     * @param vMethodId the verification method
     * @param notAfter last second in which it is valid; may lie in the past or in the future
     */
    function expireVerificationMethod(string calldata did, bytes32 vMethodId, uint64 notAfter) external;

    /**
     * @notice Registers a key that takes over each use of another one that has not ended yet. The old key's
     * uses end `duration` seconds after the new key begins, or earlier where they ended before.
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
     * @notice The DID document as of `time`: which keys were registered and valid then by what is known now, and
     * the base document, the controlling DIDs and alsoKnownAs as recorded then. A verification method is listed
     * from its registration to its end, and whenever a relationship names it.
     * @param did the DID
     * @param time Unix seconds
     * @return found whether the DID was registered at `time`
     * @return document the document; empty where not found
     */
    function resolveAt(string calldata did, uint64 time) external view returns (bool found, DidDocument memory document);

    /**
     * @notice The DID document as of `time`, or of the block's time if that is later.
     * @param did the DID
     * @param time Unix seconds, the reader's present
     * @return found whether the DID is registered
     * @return document the document; empty where not found
     */
    function resolve(string calldata did, uint64 time) external view returns (bool found, DidDocument memory document);

    /**
     * @notice Whether `account` controls `did` now. False for a DID that is not registered.
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
     * @param offset how many to leave out
     * @param limit how many to give at most
     * @return total how many DIDs there are
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

    /// @notice What each DID of this registry begins with, for example `did:org:uc-pre:`.
    function didPrefix() external view returns (string memory);
}
