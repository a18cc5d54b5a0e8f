// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {DidRegistry} from "../../../../contracts/DidRegistry.sol";
import {IDidRegistry} from "../../../../contracts/interfaces/IDidRegistry.sol";
import {vm} from "./Vm.sol";

/**
 * @notice Looks at a DID before and after each operation, at instants of the past and the future, and
 * remembers what must never change. Every look fails the test by itself.
 */
contract DidRegistryWitness {
    /// @notice A window that an operation names: what it may add, in the past too.
    struct Window {
        bytes32 vMethodId;
        uint8 uses;
        uint64 notBefore;
        uint64 notAfter;
    }

    /// @dev `isRevoked` distinguishes a revocation at 0 from none.
    struct Revocation {
        bool isRevoked;
        uint64 notAfter;
    }

    uint256 private constant METHODS = 5;
    /// @dev Added to the relationships of a method that a document lists.
    uint8 private constant LISTED = 128;

    DidRegistry private immutable _registry;
    mapping(bytes32 didHash => mapping(bytes32 vMethodId => bytes32 keyHash)) private _keyHashes;
    mapping(bytes32 didHash => mapping(bytes32 vMethodId => Revocation)) private _revocations;

    Window private _named;
    bool private _mayEnd;
    uint64[] private _instants;
    bool[] private _founds;
    bytes32[] private _texts;
    bytes32[] private _controllers;
    uint8[METHODS][] private _uses;

    constructor(DidRegistry registry_) {
        _registry = registry_;
    }

    /**
     * @notice Remembers the DID as it is at some instants, before an operation.
     * @param named the window that it names
     * @param mayEnd whether it revokes or expires, which reaches back to its notAfter
     */
    function lookBefore(string calldata did, Window calldata named, bool mayEnd) external {
        _named = named;
        _mayEnd = mayEnd;
        delete _instants;
        delete _founds;
        delete _texts;
        delete _controllers;
        delete _uses;
        uint64 time = uint64(block.timestamp);
        uint64[5] memory instants = [time - 1, time, named.notBefore, named.notAfter, time + 1500];
        uint64 spread = uint64(uint256(keccak256(abi.encode(did, named, time))) % 2000);
        for (uint256 i = 0; i < 5; ++i) _instants.push(instants[i]);
        _instants.push(time - spread);
        for (uint256 i = 0; i < _instants.length; ++i) {
            (bool found, IDidRegistry.DidDocument memory document) = _registry.resolveAt(did, _instants[i]);
            _founds.push(found);
            _texts.push(keccak256(abi.encode(document.baseDocument, document.alsoKnownAs)));
            _controllers.push(keccak256(abi.encode(document.controllers)));
            _uses.push(_usesOf(document));
        }
    }

    /// @notice Fails if the operation made a forbidden change.
    function lookAfter(string calldata did) external {
        bytes32 didHash = keccak256(bytes(did));
        for (uint256 i = 0; i < _instants.length; ++i) {
            uint64 time = _instants[i];
            (bool found, IDidRegistry.DidDocument memory document) = _registry.resolveAt(did, time);
            if (_founds[i]) vm.assertTrue(found, "a registered DID is gone");
            if (time < block.timestamp) _requireSamePast(i, found, document);
            _requireSameKeys(didHash, document);
            _requireRevoked(didHash, time, document);
        }
        _requireOneMindAboutControl(did);
    }

    /// @notice Remembers that a method was revoked: it is not valid after the earliest such notAfter.
    function noteRevocation(string calldata did, bytes32 vMethodId, uint64 notAfter) external {
        Revocation storage revocation = _revocations[keccak256(bytes(did))][vMethodId];
        if (!revocation.isRevoked || notAfter < revocation.notAfter) revocation.notAfter = notAfter;
        revocation.isRevoked = true;
    }

    function _requireSamePast(uint256 i, bool found, IDidRegistry.DidDocument memory document) private view {
        vm.assertTrue(found == _founds[i], "registered in the past");
        bytes32 texts = keccak256(abi.encode(document.baseDocument, document.alsoKnownAs));
        vm.assertEq(texts, _texts[i], "texts of the past changed");
        uint8[METHODS] memory uses = _usesOf(document);
        for (uint256 j = 0; j < METHODS; ++j) {
            uint8 grown = uses[j] & ~_uses[i][j];
            if (_isNamed(bytes32(j + 1), _instants[i])) grown &= ~(_named.uses | LISTED);
            vm.assertEq(grown, 0, "validity grew in the past");
            uint8 lost = _uses[i][j] & ~uses[j];
            vm.assertEq(_mayEnd ? 0 : lost, 0, "validity was lost in the past");
        }
        bool mayDiffer = _mayEnd || _named.uses != 0;
        bytes32 controllers = keccak256(abi.encode(document.controllers));
        vm.assertTrue(mayDiffer || controllers == _controllers[i], "controllers of the past changed");
    }

    function _requireSameKeys(bytes32 didHash, IDidRegistry.DidDocument memory document) private {
        for (uint256 i = 0; i < document.verificationMethods.length; ++i) {
            IDidRegistry.VerificationMethod memory method = document.verificationMethods[i];
            bytes32 keyHash = keccak256(abi.encode(method.publicKeyType, method.publicKey));
            bytes32 first = _keyHashes[didHash][method.vMethodId];
            if (first == 0) _keyHashes[didHash][method.vMethodId] = keyHash;
            else vm.assertEq(keyHash, first, "a vMethodId stands for another key");
            bool isControlKey = method.relationships & 8 != 0;
            bool isRaw = method.publicKeyType == IDidRegistry.PublicKeyType.Secp256k1;
            vm.assertTrue(isRaw || !isControlKey, "a JWK controls");
        }
    }

    function _requireRevoked(
        bytes32 didHash,
        uint64 time,
        IDidRegistry.DidDocument memory document
    ) private view {
        uint8[METHODS] memory uses = _usesOf(document);
        for (uint256 j = 0; j < METHODS; ++j) {
            Revocation memory revocation = _revocations[didHash][bytes32(j + 1)];
            if (revocation.isRevoked && time > revocation.notAfter) vm.assertEq(uses[j], 0, "a revoked method is valid");
        }
    }

    /// @dev Those that a document names in control are those that may write.
    function _requireOneMindAboutControl(string calldata did) private view {
        (bool found, IDidRegistry.DidDocument memory document) = _registry.resolveAt(did, uint64(block.timestamp));
        if (!found) return;
        vm.assertTrue(_registry.controllersOf(did).length > 0, "no controller is left");
        for (uint256 i = 0; i < document.controllers.length; ++i) {
            vm.assertTrue(_registry.isController(did, document.controllers[i]), "named without control");
        }
    }

    function _isNamed(bytes32 vMethodId, uint64 time) private view returns (bool) {
        return _named.vMethodId == vMethodId && _named.notBefore <= time && time <= _named.notAfter;
    }

    function _usesOf(IDidRegistry.DidDocument memory document) private pure returns (uint8[METHODS] memory uses) {
        for (uint256 i = 0; i < document.verificationMethods.length; ++i) {
            IDidRegistry.VerificationMethod memory method = document.verificationMethods[i];
            uses[uint256(method.vMethodId) - 1] = method.relationships | LISTED;
        }
    }
}
