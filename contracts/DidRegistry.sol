// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IDidRegistry} from "./interfaces/IDidRegistry.sol";
import {DidIdentifier} from "./libraries/DidIdentifier.sol";
import {Secp256k1} from "./libraries/Secp256k1.sol";
import {TextHistory} from "./libraries/TextHistory.sol";
import {ValidityWindows} from "./libraries/ValidityWindows.sol";

/**
 * @title Registry of decentralized identifiers and their DID documents.
 * @notice Keeps everything, so that the document of any past time can be resolved.
 */
contract DidRegistry is IDidRegistry {
    using TextHistory for TextHistory.Entry[];
    using ValidityWindows for ValidityWindows.Window[];

    /**
     * @dev `account` is the key's address for a raw secp256k1 key and zero for a JWK, which cannot
     * control a DID.
     * `windows` contains the windows of the relationships and, for the use `_LISTING`, those in
     * which documents list it.
     */
    struct StoredMethod {
        PublicKeyType publicKeyType;
        bool isRevoked;
        address account;
        bytes publicKey;
        ValidityWindows.Window[] windows;
    }

    /// @dev In control from `since`, and no longer from `until` on; zero if no end is known.
    struct ControlPeriod {
        bytes32 controllerHash;
        uint64 since;
        uint64 until;
    }

    /**
     * @dev `controlMethodIds` are the methods of the control keys from documents and of their
     * successors, except those that had ended when a later document replaced them.
     */
    struct StoredDid {
        string did;
        uint64 registeredAt;
        bytes32[] controlMethodIds;
        bytes32[] methodIds;
        mapping(bytes32 vMethodId => StoredMethod) methods;
        mapping(address account => bytes32[] vMethodIds) methodIdsOfAccount;
        bytes32[] controllerHashes;
        ControlPeriod[] controlPeriods;
        TextHistory.Entry[] baseDocuments;
        TextHistory.Entry[] alternativeIdentifiers;
    }

    /// @dev Listing does not grant a permission. The number follows those of all relationships.
    uint8 private constant _LISTING = uint8(type(Relationship).max) + 1;
    uint8 private constant _LISTED = uint8(1) << _LISTING;
    uint8 private constant _RELATIONSHIPS = _LISTED - 1;
    uint8 private constant _CONTROL_USE = uint8(1) << uint8(Relationship.CapabilityInvocation);
    uint8 private constant _DOCUMENT_USES = _CONTROL_USE | (uint8(1) << uint8(Relationship.Authentication));
    uint8 private constant _ALL_USES = _RELATIONSHIPS | _LISTED;

    address private immutable _operator;
    string private _didPrefix;
    mapping(address node => bool) private _onboardingNodes;
    mapping(bytes32 didHash => StoredDid) private _dids;
    mapping(address account => bytes32 didHash) private _didHashOfAccount;
    bytes32[] private _didHashes;

    modifier onlyOperator() {
        if (msg.sender != _operator) revert DidRegistryNotOperator(msg.sender);
        _;
    }

    /**
     * @notice Creates a registry.
     * @param operator_ the account that authorizes onboarding nodes
     * @param didPrefix_ the prefix of every DID of this registry
     */
    constructor(address operator_, string memory didPrefix_) {
        if (operator_ == address(0)) revert DidRegistryZeroAddress();
        _operator = operator_;
        _didPrefix = didPrefix_;
    }

    /// @inheritdoc IDidRegistry
    function authorizeOnboardingNode(address node) external onlyOperator {
        if (node == address(0)) revert DidRegistryZeroAddress();
        if (_onboardingNodes[node]) revert DidRegistryOnboardingNodeAlreadyAuthorized(node);
        _onboardingNodes[node] = true;
        emit OnboardingNodeAuthorized(node);
    }

    /// @inheritdoc IDidRegistry
    function withdrawOnboardingNode(address node) external onlyOperator {
        if (!_onboardingNodes[node]) revert DidRegistryOnboardingNodeNotAuthorized(node);
        _onboardingNodes[node] = false;
        emit OnboardingNodeWithdrawn(node);
    }

    // @assumption A-01, A-02
    /// @inheritdoc IDidRegistry
    /// @custom:row 2.states-and-transitions.1 2.endpoints/did-registry.26
    function insertFirstDidDocument(
        string calldata did,
        string calldata baseDocument,
        ControlKey calldata key,
        string calldata alternativeIdentifier
    ) external {
        if (!_onboardingNodes[msg.sender]) revert DidRegistryNotOnboardingNode(msg.sender);
        bytes memory coordinates = _register(did, key);
        bytes32 didHash = _hashOf(did);
        StoredDid storage stored = _dids[didHash];
        stored.baseDocuments.record(baseDocument);
        stored.alternativeIdentifiers.record(alternativeIdentifier);
        emit FirstDidDocumentInserted(
            didHash,
            key.vMethodId,
            did,
            baseDocument,
            alternativeIdentifier,
            key.notBefore,
            key.notAfter
        );
        _setControlKey(stored, didHash, key, coordinates);
    }

    // @assumption A-02, A-53
    /// @inheritdoc IDidRegistry
    /// @custom:row 2.states-and-transitions.2 2.endpoints/did-registry.28
    function insertDidDocument(string calldata did, string calldata baseDocument, ControlKey calldata key) external {
        (StoredDid storage stored, bytes32 didHash) = _requireController(did);
        bytes memory coordinates = _requireControlKey(key);
        StoredMethod storage method = stored.methods[key.vMethodId];
        if (_isAdded(method)) {
            if (!_isSameKey(method, coordinates)) {
                revert DidRegistryVerificationMethodAlreadyAdded(did, key.vMethodId);
            }
            if (method.isRevoked) revert DidRegistryVerificationMethodIsRevoked(did, key.vMethodId);
        }

        // The new key follows the old ones without a gap, and does not change their past.
        _endControlKeys(stored, key.vMethodId, _max(key.notBefore, uint64(block.timestamp)) - 1);
        stored.baseDocuments.record(baseDocument);
        emit DidDocumentInserted(didHash, key.vMethodId, did, baseDocument, key.notBefore, key.notAfter);
        _setControlKey(stored, didHash, key, coordinates);
    }

    /// @inheritdoc IDidRegistry
    function updateBaseDocument(string calldata did, string calldata baseDocument) external {
        (StoredDid storage stored, bytes32 didHash) = _requireController(did);
        stored.baseDocuments.record(baseDocument);
        emit BaseDocumentUpdated(didHash, did, baseDocument);
    }

    // @assumption A-05
    /// @inheritdoc IDidRegistry
    function updateAlsoKnownAs(string calldata did, string calldata alternativeIdentifier) external {
        (StoredDid storage stored, bytes32 didHash) = msg.sender == _operator
            ? _requireRegistered(did)
            : _requireController(did);
        stored.alternativeIdentifiers.record(alternativeIdentifier);
        emit AlsoKnownAsUpdated(didHash, did, alternativeIdentifier);
    }

    // @assumption A-03
    /// @inheritdoc IDidRegistry
    function addController(string calldata did, string calldata controller) external {
        (StoredDid storage stored, bytes32 didHash) = _requireController(did);
        (, bytes32 controllerHash) = _requireRegistered(controller);
        _addController(stored, didHash, controllerHash);
    }

    /// @inheritdoc IDidRegistry
    function addControllerByAccount(string calldata did, address account) external {
        (StoredDid storage stored, bytes32 didHash) = _requireController(did);
        _addController(stored, didHash, _requireAccount(account));
    }

    // @assumption A-03
    /// @inheritdoc IDidRegistry
    function revokeController(string calldata did, string calldata controller) external {
        (StoredDid storage stored, bytes32 didHash) = _requireController(did);
        _revokeController(stored, didHash, _hashOf(controller), controller);
    }

    /// @inheritdoc IDidRegistry
    function revokeControllerByAccount(string calldata did, address account) external {
        (StoredDid storage stored, bytes32 didHash) = _requireController(did);
        bytes32 controllerHash = _requireAccount(account);
        _revokeController(stored, didHash, controllerHash, _dids[controllerHash].did);
    }

    /// @inheritdoc IDidRegistry
    /// @custom:row 2.states-and-transitions.3
    function addVerificationMethod(
        string calldata did,
        bytes32 vMethodId,
        PublicKeyType publicKeyType,
        bytes calldata publicKey
    ) external {
        (StoredDid storage stored, bytes32 didHash) = _requireController(did);
        bytes memory storedKey = _requirePublicKey(publicKeyType, publicKey);
        _addMethod(stored, didHash, vMethodId, publicKeyType, storedKey, type(uint64).max);
    }

    // @assumption A-04, A-05
    /// @inheritdoc IDidRegistry
    /// @custom:row 2.states-and-transitions.3
    function addVerificationRelationship(
        string calldata did,
        Relationship relationship,
        bytes32 vMethodId,
        uint64 notBefore,
        uint64 notAfter
    ) external {
        (StoredDid storage stored, bytes32 didHash) = _requireController(did);
        StoredMethod storage method = _requireMethod(stored, vMethodId);
        if (method.isRevoked) revert DidRegistryVerificationMethodIsRevoked(did, vMethodId);
        if (relationship == Relationship.CapabilityInvocation && method.publicKeyType != PublicKeyType.Secp256k1) {
            revert DidRegistryNotControlKey(did, vMethodId);
        }
        _requireValidity(notBefore, notAfter);
        _addRelationship(stored, didHash, vMethodId, relationship, notBefore, notAfter);
    }

    // @assumption A-07
    /// @inheritdoc IDidRegistry
    /// @custom:row 2.states-and-transitions.4
    function revokeVerificationMethod(string calldata did, bytes32 vMethodId, uint64 notAfter) external {
        (StoredDid storage stored, bytes32 didHash) = _requireController(did);
        StoredMethod storage method = _requireMethod(stored, vMethodId);
        method.isRevoked = true;
        method.windows.end(_ALL_USES, notAfter);
        emit VerificationMethodRevoked(didHash, vMethodId, did, notAfter);
    }

    // @assumption A-07
    /// @inheritdoc IDidRegistry
    /// @custom:row 2.states-and-transitions.5
    function expireVerificationMethod(string calldata did, bytes32 vMethodId, uint64 notAfter) external {
        (StoredDid storage stored, bytes32 didHash) = _requireController(did);
        _requireMethod(stored, vMethodId).windows.end(_ALL_USES, notAfter);
        emit VerificationMethodExpired(didHash, vMethodId, did, notAfter);
    }

    // @assumption A-07
    /// @inheritdoc IDidRegistry
    /// @custom:row 2.states-and-transitions.6
    function rollVerificationMethod(
        string calldata did,
        bytes32 oldVMethodId,
        SuccessorKey calldata successor
    ) external {
        (StoredDid storage stored, bytes32 didHash) = _requireController(did);
        StoredMethod storage oldMethod = _requireMethod(stored, oldVMethodId);
        if (oldMethod.isRevoked) revert DidRegistryVerificationMethodIsRevoked(did, oldVMethodId);
        _requireValidity(successor.notBefore, successor.notAfter);
        uint64 oldNotAfter = _saturatingAdd(successor.notBefore, successor.duration);
        uint8 uses = _requireUsesToTakeOver(oldMethod, successor.notAfter, oldNotAfter);
        if (uses & _CONTROL_USE != 0) {
            if (successor.publicKeyType != PublicKeyType.Secp256k1) {
                revert DidRegistryNotControlKey(did, successor.vMethodId);
            }
            (bool isOfDocument, ) = _positionOf(stored.controlMethodIds, oldVMethodId);
            if (isOfDocument) stored.controlMethodIds.push(successor.vMethodId);
        }
        oldMethod.windows.end(_ALL_USES, oldNotAfter);
        emit VerificationMethodRolled(
            didHash,
            successor.vMethodId,
            oldVMethodId,
            did,
            successor.notBefore,
            successor.notAfter,
            oldNotAfter
        );
        _addSuccessor(stored, didHash, successor, uses);
    }

    // @assumption A-08
    /// @inheritdoc IDidRegistry
    /// @custom:row 2.endpoints/did-registry.2
    function resolveAt(
        string calldata did,
        uint64 time
    ) external view returns (bool found, DidDocument memory document) {
        return _documentAt(_dids[_hashOf(did)], time);
    }

    /// @inheritdoc IDidRegistry
    function resolve(
        string calldata did,
        uint64 time
    ) external view returns (bool found, DidDocument memory document) {
        return _documentAt(_dids[_hashOf(did)], _max(time, uint64(block.timestamp)));
    }

    /// @inheritdoc IDidRegistry
    function isController(string calldata did, address account) external view returns (bool) {
        return _isController(_dids[_hashOf(did)], account);
    }

    /// @inheritdoc IDidRegistry
    function controllersOf(string calldata did) external view returns (string[] memory) {
        return _textsOf(_dids[_hashOf(did)].controllerHashes, 0, type(uint256).max);
    }

    /// @inheritdoc IDidRegistry
    function didOfAccount(address account) external view returns (string memory) {
        return _dids[_didHashOfAccount[account]].did;
    }

    /// @inheritdoc IDidRegistry
    function identifiers(uint256 offset, uint256 limit) external view returns (uint256 total, string[] memory page) {
        return (_didHashes.length, _textsOf(_didHashes, offset, limit));
    }

    /// @inheritdoc IDidRegistry
    function isOnboardingNode(address node) external view returns (bool) {
        return _onboardingNodes[node];
    }

    /// @inheritdoc IDidRegistry
    function operator() external view returns (address) {
        return _operator;
    }

    /// @inheritdoc IDidRegistry
    function didPrefix() external view returns (string memory) {
        return _didPrefix;
    }

    function _register(string calldata did, ControlKey calldata key) private returns (bytes memory coordinates) {
        bytes32 didHash = _hashOf(did);
        StoredDid storage stored = _dids[didHash];
        if (stored.registeredAt != 0) revert DidRegistryDidAlreadyRegistered(did);
        coordinates = _requireControlKey(key);
        _requireDerived(did, key.proof);

        stored.did = did;
        stored.registeredAt = uint64(block.timestamp);
        _didHashes.push(didHash);
        _startControl(stored, didHash);

        // Only this proof is bound to the DID, so that no other DID can claim the key's address.
        // A key that registers several DIDs keeps pointing to the first.
        address account = Secp256k1.accountOf(coordinates);
        if (_didHashOfAccount[account] == 0) _didHashOfAccount[account] = didHash;
    }

    /// @dev Makes the key the document's control key, registering its method if it is new.
    function _setControlKey(
        StoredDid storage stored,
        bytes32 didHash,
        ControlKey calldata key,
        bytes memory coordinates
    ) private {
        StoredMethod storage method = stored.methods[key.vMethodId];
        if (_isAdded(method)) method.windows.add(_LISTING, uint64(block.timestamp), key.notAfter);
        else _addMethod(stored, didHash, key.vMethodId, PublicKeyType.Secp256k1, coordinates, key.notAfter);
        (bool isListed, ) = _positionOf(stored.controlMethodIds, key.vMethodId);
        if (!isListed) stored.controlMethodIds.push(key.vMethodId);
        Relationship[2] memory uses = [Relationship.CapabilityInvocation, Relationship.Authentication];
        for (uint256 i = 0; i < uses.length; ++i) {
            _addRelationship(stored, didHash, key.vMethodId, uses[i], key.notBefore, key.notAfter);
        }
    }

    function _addSuccessor(
        StoredDid storage stored,
        bytes32 didHash,
        SuccessorKey calldata successor,
        uint8 uses
    ) private {
        bytes memory publicKey = _requirePublicKey(successor.publicKeyType, successor.publicKey);
        uint64 notAfter = successor.notAfter;
        _addMethod(stored, didHash, successor.vMethodId, successor.publicKeyType, publicKey, notAfter);
        for (uint8 use = 0; use < _LISTING; ++use) {
            if (uses & (uint8(1) << use) == 0) continue;
            _addRelationship(stored, didHash, successor.vMethodId, Relationship(use), successor.notBefore, notAfter);
        }
    }

    /**
     * @dev Ends the control keys of earlier documents at `lastSecond`, including keys whose
     * validity has not started, and keys that an overlap or a later start of their successor keeps
     * valid.
     * The key of the new document keeps its other uses.
     */
    function _endControlKeys(StoredDid storage stored, bytes32 vMethodId, uint64 lastSecond) private {
        bytes32[] storage vMethodIds = stored.controlMethodIds;
        uint256 length = vMethodIds.length;
        for (uint256 i = 0; i < length; ++i) {
            if (vMethodIds[i] != vMethodId) stored.methods[vMethodIds[i]].windows.end(_ALL_USES, lastSecond);
        }
        stored.methods[vMethodId].windows.end(_DOCUMENT_USES | _LISTED, lastSecond);
        if (lastSecond < block.timestamp) delete stored.controlMethodIds;
    }

    // @assumption A-08, A-52
    /// @dev Documents list the method from this block on until `notAfter`, regardless of its uses.
    function _addMethod(
        StoredDid storage stored,
        bytes32 didHash,
        bytes32 vMethodId,
        PublicKeyType publicKeyType,
        bytes memory publicKey,
        uint64 notAfter
    ) private {
        StoredMethod storage method = stored.methods[vMethodId];
        if (_isAdded(method)) revert DidRegistryVerificationMethodAlreadyAdded(stored.did, vMethodId);
        method.publicKeyType = publicKeyType;
        method.publicKey = publicKey;
        stored.methodIds.push(vMethodId);
        if (publicKeyType == PublicKeyType.Secp256k1) {
            address account = Secp256k1.accountOf(publicKey);
            method.account = account;
            stored.methodIdsOfAccount[account].push(vMethodId);
        }
        method.windows.add(_LISTING, uint64(block.timestamp), notAfter);
        emit VerificationMethodAdded(didHash, vMethodId, stored.did, publicKeyType);
    }

    function _addRelationship(
        StoredDid storage stored,
        bytes32 didHash,
        bytes32 vMethodId,
        Relationship relationship,
        uint64 notBefore,
        uint64 notAfter
    ) private {
        stored.methods[vMethodId].windows.add(uint8(relationship), notBefore, notAfter);
        emit VerificationRelationshipAdded(didHash, vMethodId, stored.did, relationship, notBefore, notAfter);
    }

    function _addController(StoredDid storage stored, bytes32 didHash, bytes32 controllerHash) private {
        (bool isAdded, ) = _positionOf(stored.controllerHashes, controllerHash);
        if (isAdded) revert DidRegistryControllerAlreadyAdded(stored.did, _dids[controllerHash].did);
        _startControl(stored, controllerHash);
        emit ControllerAdded(didHash, controllerHash, stored.did, _dids[controllerHash].did);
    }

    function _revokeController(
        StoredDid storage stored,
        bytes32 didHash,
        bytes32 controllerHash,
        string memory controller
    ) private {
        bytes32[] storage hashes = stored.controllerHashes;
        (bool isAdded, uint256 position) = _positionOf(hashes, controllerHash);
        if (!isAdded) revert DidRegistryControllerNotAdded(stored.did, controller);
        if (hashes.length == 1) revert DidRegistryLastController(stored.did, controller);
        hashes[position] = hashes[hashes.length - 1];
        hashes.pop();
        _endControl(stored, controllerHash);
        emit ControllerRevoked(didHash, controllerHash, stored.did, controller);
    }

    function _startControl(StoredDid storage stored, bytes32 controllerHash) private {
        stored.controllerHashes.push(controllerHash);
        stored.controlPeriods.push(
            ControlPeriod({controllerHash: controllerHash, since: uint64(block.timestamp), until: 0})
        );
    }

    /// @dev The latest period of a current controller is the open one.
    function _endControl(StoredDid storage stored, bytes32 controllerHash) private {
        ControlPeriod[] storage periods = stored.controlPeriods;
        for (uint256 i = periods.length; i > 0; --i) {
            ControlPeriod storage period = periods[i - 1];
            if (period.controllerHash == controllerHash) {
                period.until = uint64(block.timestamp);
                return;
            }
        }
    }

    function _requireRegistered(string calldata did) private view returns (StoredDid storage stored, bytes32 didHash) {
        didHash = _hashOf(did);
        stored = _dids[didHash];
        if (stored.registeredAt == 0) revert DidRegistryDidNotRegistered(did);
    }

    // @assumption A-05
    /// @custom:row 2.authentication.1
    function _requireController(string calldata did) private view returns (StoredDid storage stored, bytes32 didHash) {
        (stored, didHash) = _requireRegistered(did);
        if (!_isController(stored, msg.sender)) revert DidRegistryNotController(did, msg.sender);
    }

    function _requireAccount(address account) private view returns (bytes32 didHash) {
        didHash = _didHashOfAccount[account];
        if (didHash == 0) revert DidRegistryAccountNotRegistered(account);
    }

    function _requireMethod(
        StoredDid storage stored,
        bytes32 vMethodId
    ) private view returns (StoredMethod storage method) {
        method = stored.methods[vMethodId];
        if (!_isAdded(method)) revert DidRegistryVerificationMethodNotAdded(stored.did, vMethodId);
    }

    /// @dev A roll does not revive an ended use, and must not leave either key without a future.
    function _requireUsesToTakeOver(
        StoredMethod storage oldMethod,
        uint64 notAfter,
        uint64 oldNotAfter
    ) private view returns (uint8 uses) {
        uint64 time = uint64(block.timestamp);
        if (notAfter < time) revert DidRegistryRollInThePast(notAfter, time);
        if (oldNotAfter < time) revert DidRegistryRollInThePast(oldNotAfter, time);
        uint64 lastNotAfter;
        (uses, lastNotAfter) = oldMethod.windows.usesFrom(_RELATIONSHIPS, time);
        if (uses != 0) return uses;
        if (lastNotAfter == 0) {
            // The method never had a relationship: its own end counts.
            uint8 listed;
            (listed, lastNotAfter) = oldMethod.windows.usesFrom(_LISTED, time);
            if (listed != 0) return uses;
        }
        revert DidRegistryRollInThePast(lastNotAfter, time);
    }

    function _requireDerived(string calldata did, bytes calldata proof) private view {
        string memory expected = DidIdentifier.ofProof(_didPrefix, proof);
        if (keccak256(bytes(expected)) != _hashOf(did)) revert DidRegistryDidMismatch(did, expected);
    }

    function _isController(StoredDid storage stored, address account) private view returns (bool) {
        bytes32[] storage hashes = stored.controllerHashes;
        uint256 length = hashes.length;
        for (uint256 i = 0; i < length; ++i) {
            if (_holdsControlKey(_dids[hashes[i]], account)) return true;
        }
        return false;
    }

    function _holdsControlKey(StoredDid storage stored, address account) private view returns (bool) {
        bytes32[] storage vMethodIds = stored.methodIdsOfAccount[account];
        uint256 length = vMethodIds.length;
        for (uint256 i = 0; i < length; ++i) {
            uint8 uses = stored.methods[vMethodIds[i]].windows.usesAt(uint64(block.timestamp));
            if (uses & _CONTROL_USE != 0) return true;
        }
        return false;
    }

    function _documentAt(
        StoredDid storage stored,
        uint64 time
    ) private view returns (bool found, DidDocument memory document) {
        if (stored.registeredAt == 0 || time < stored.registeredAt) return (false, document);
        document.baseDocument = stored.baseDocuments.valueAt(time);
        document.alsoKnownAs = stored.alternativeIdentifiers.valueAt(time);
        document.controllers = _controllersAt(stored, time);
        document.verificationMethods = _methodsAt(stored, time);
        return (true, document);
    }

    function _methodsAt(
        StoredDid storage stored,
        uint64 time
    ) private view returns (VerificationMethod[] memory methods) {
        uint256 length = stored.methodIds.length;
        uint256 count = 0;
        methods = new VerificationMethod[](length);
        for (uint256 i = 0; i < length; ++i) {
            bytes32 vMethodId = stored.methodIds[i];
            StoredMethod storage method = stored.methods[vMethodId];
            uint8 uses = method.windows.usesAt(time);
            if (uses == 0) continue;
            uses &= _RELATIONSHIPS;
            methods[count++] = VerificationMethod(vMethodId, method.publicKeyType, uses, method.publicKey);
        }
        // Shortens the array in place: its first word is its length.
        assembly ("memory-safe") {
            mstore(methods, count)
        }
    }

    /// @dev The accounts of all keys with control through a DID that controlled `stored` at `time`,
    /// without duplicates.
    function _controllersAt(StoredDid storage stored, uint64 time) private view returns (address[] memory accounts) {
        uint256 length = stored.controlPeriods.length;
        uint256 capacity = 0;
        for (uint256 i = 0; i < length; ++i) {
            ControlPeriod storage period = stored.controlPeriods[i];
            if (_isIn(period, time)) capacity += _dids[period.controllerHash].methodIds.length;
        }
        accounts = new address[](capacity);
        uint256 count = 0;
        for (uint256 i = 0; i < length; ++i) {
            ControlPeriod storage period = stored.controlPeriods[i];
            if (_isIn(period, time)) count = _collectControlAccounts(accounts, count, period.controllerHash, time);
        }
        assembly ("memory-safe") {
            mstore(accounts, count)
        }
    }

    function _collectControlAccounts(
        address[] memory accounts,
        uint256 count,
        bytes32 didHash,
        uint64 time
    ) private view returns (uint256) {
        StoredDid storage stored = _dids[didHash];
        uint256 length = stored.methodIds.length;
        for (uint256 i = 0; i < length; ++i) {
            StoredMethod storage method = stored.methods[stored.methodIds[i]];
            if (method.windows.usesAt(time) & _CONTROL_USE == 0) continue;
            address account = method.account;
            if (!_contains(accounts, count, account)) accounts[count++] = account;
        }
        return count;
    }

    function _textsOf(
        bytes32[] storage hashes,
        uint256 offset,
        uint256 limit
    ) private view returns (string[] memory texts) {
        uint256 length = hashes.length;
        if (offset >= length) return texts;
        uint256 count = limit < length - offset ? limit : length - offset;
        texts = new string[](count);
        for (uint256 i = 0; i < count; ++i) texts[i] = _dids[hashes[offset + i]].did;
    }

    function _positionOf(bytes32[] storage hashes, bytes32 wanted) private view returns (bool found, uint256 position) {
        uint256 length = hashes.length;
        for (uint256 i = 0; i < length; ++i) {
            if (hashes[i] == wanted) return (true, i);
        }
        return (false, 0);
    }

    function _isAdded(StoredMethod storage method) private view returns (bool) {
        return method.publicKey.length > 0;
    }

    function _isSameKey(StoredMethod storage method, bytes memory coordinates) private view returns (bool) {
        return
            method.publicKeyType == PublicKeyType.Secp256k1 &&
            keccak256(method.publicKey) == keccak256(coordinates);
    }

    function _isIn(ControlPeriod storage period, uint64 time) private view returns (bool) {
        return period.since <= time && (period.until == 0 || time < period.until);
    }

    // @assumption A-51
    function _requireControlKey(ControlKey calldata key) private view returns (bytes memory coordinates) {
        _requireValidity(key.notBefore, key.notAfter);
        uint64 time = uint64(block.timestamp);
        if (key.notAfter < time) revert DidRegistryValidityInThePast(key.notAfter, time);
        coordinates = _requirePublicKey(PublicKeyType.Secp256k1, key.publicKey);
        if (!Secp256k1.isProofOf(coordinates, key.proof)) revert DidRegistryInvalidProof(key.proof);
    }

    function _requirePublicKey(
        PublicKeyType publicKeyType,
        bytes calldata publicKey
    ) private pure returns (bytes memory stored) {
        stored = publicKeyType == PublicKeyType.Secp256k1 ? Secp256k1.coordinatesOf(publicKey) : publicKey;
        if (stored.length == 0) revert DidRegistryInvalidPublicKey(publicKey);
    }

    function _requireValidity(uint64 notBefore, uint64 notAfter) private pure {
        if (notAfter <= notBefore) revert DidRegistryInvalidValidity(notBefore, notAfter);
    }

    function _contains(address[] memory accounts, uint256 count, address wanted) private pure returns (bool) {
        for (uint256 i = 0; i < count; ++i) {
            if (accounts[i] == wanted) return true;
        }
        return false;
    }

    function _hashOf(string calldata did) private pure returns (bytes32) {
        return keccak256(bytes(did));
    }

    function _max(uint64 a, uint64 b) private pure returns (uint64) {
        return a > b ? a : b;
    }

    function _saturatingAdd(uint64 a, uint64 b) private pure returns (uint64) {
        uint256 sum = uint256(a) + b;
        return sum > type(uint64).max ? type(uint64).max : uint64(sum);
    }
}
