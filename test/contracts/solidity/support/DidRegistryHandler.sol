// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {DidRegistry} from "../../../../contracts/DidRegistry.sol";
import {IDidRegistry} from "../../../../contracts/interfaces/IDidRegistry.sol";
import {DidRegistryWitness} from "./DidRegistryWitness.sol";
import {Key} from "./Keys.sol";
import {bound, vm} from "./Vm.sol";

/// @notice Sends random operations to a DID registry, and has a witness look at each from both sides.
contract DidRegistryHandler {
    uint256 private constant METHODS = 5;
    /// @dev The largest distance between now and the ends of the windows.
    uint256 private constant REACH = 1000;
    /// @dev The first keys' DIDs are the ones that are written to.
    uint256 private constant DIDS = 3;

    DidRegistry private immutable _registry;
    DidRegistryWitness private immutable _witness;
    address private immutable _operator;
    address private immutable _node;
    Key[] private _keys;

    constructor(DidRegistry registry_, DidRegistryWitness witness_, address operator_, address node_, Key[] memory keys) {
        _registry = registry_;
        _witness = witness_;
        _operator = operator_;
        _node = node_;
        for (uint256 i = 0; i < keys.length; ++i) _keys.push(keys[i]);
    }

    function passTime(uint256 seconds_) external {
        vm.warp(block.timestamp + bound(seconds_, 1, REACH));
    }

    function insertFirstDidDocument(uint256 key, uint256 id, uint256 notBefore, uint256 notAfter) external {
        Key memory k = _key(key);
        _watch(k.did, _ofNobody());
        _send(
            k.did,
            _node,
            abi.encodeCall(_registry.insertFirstDidDocument, (k.did, "{}", _control(k, id, notBefore, notAfter), "urn"))
        );
    }

    function insertDidDocument(
        uint256 did,
        uint256 signer,
        uint256 key,
        uint256 id,
        uint256 notBefore,
        uint256 notAfter
    ) external {
        string memory d = _did(did);
        IDidRegistry.ControlKey memory control = _control(_key(key), id, notBefore, notAfter);
        _watch(d, DidRegistryWitness.Window(control.vMethodId, 9, control.notBefore, control.notAfter));
        _send(d, _signer(d, signer), abi.encodeCall(_registry.insertDidDocument, (d, "{1}", control)));
    }

    function updateTexts(uint256 did, uint256 signer, string calldata text, bool isBaseDocument) external {
        string memory d = _did(did);
        _watch(d, _ofNobody());
        bytes memory data = isBaseDocument
            ? abi.encodeCall(_registry.updateBaseDocument, (d, text))
            : abi.encodeCall(_registry.updateAlsoKnownAs, (d, text));
        _send(d, _signer(d, signer), data);
    }

    function addController(uint256 did, uint256 signer, uint256 controller, bool isByAccount) external {
        string memory d = _did(did);
        _watch(d, _ofNobody());
        bytes memory data = isByAccount
            ? abi.encodeCall(_registry.addControllerByAccount, (d, _key(controller).account))
            : abi.encodeCall(_registry.addController, (d, _did(controller)));
        _send(d, _signer(d, signer), data);
    }

    function revokeController(uint256 did, uint256 signer, uint256 controller, bool isByAccount) external {
        string memory d = _did(did);
        _watch(d, _ofNobody());
        bytes memory data = isByAccount
            ? abi.encodeCall(_registry.revokeControllerByAccount, (d, _key(controller).account))
            : abi.encodeCall(_registry.revokeController, (d, _did(controller)));
        _send(d, _signer(d, signer), data);
    }

    function addVerificationMethod(uint256 did, uint256 signer, uint256 id, uint256 key, bool isJwk) external {
        string memory d = _did(did);
        _watch(d, _ofNobody());
        bytes memory data = abi.encodeCall(
            _registry.addVerificationMethod,
            (d, _id(id), _keyType(isJwk), isJwk ? bytes('{"kty":"EC"}') : _key(key).publicKey)
        );
        _send(d, _signer(d, signer), data);
    }

    function addVerificationRelationship(
        uint256 did,
        uint256 signer,
        uint256 id,
        uint256 use,
        uint256 notBefore,
        uint256 notAfter
    ) external {
        string memory d = _did(did);
        uint8 relationship = uint8(use % 5);
        DidRegistryWitness.Window memory window = DidRegistryWitness.Window(
            _id(id),
            uint8(1 << relationship),
            _time(notBefore),
            _end(_time(notBefore), notAfter)
        );
        _watch(d, window);
        bytes memory data = abi.encodeCall(
            _registry.addVerificationRelationship,
            (d, IDidRegistry.Relationship(relationship), window.vMethodId, window.notBefore, window.notAfter)
        );
        _send(d, _signer(d, signer), data);
    }

    function endVerificationMethod(uint256 did, uint256 signer, uint256 id, uint256 notAfter, bool isRevoked) external {
        string memory d = _did(did);
        _witness.lookBefore(d, _ofNobody(), true);
        uint64 time = notAfter % 2 == 0 ? _time(notAfter) : uint64(block.timestamp + 10 * REACH);
        bytes memory data = isRevoked
            ? abi.encodeCall(_registry.revokeVerificationMethod, (d, _id(id), time))
            : abi.encodeCall(_registry.expireVerificationMethod, (d, _id(id), time));
        if (_send(d, _signer(d, signer), data) && isRevoked) _witness.noteRevocation(d, _id(id), time);
    }

    function rollVerificationMethod(
        uint256 did,
        uint256 signer,
        uint256[2] calldata ids,
        uint256 key,
        uint256[3] calldata times,
        bool isJwk
    ) external {
        string memory d = _did(did);
        IDidRegistry.SuccessorKey memory successor = IDidRegistry.SuccessorKey({
            vMethodId: _id(ids[1]),
            publicKeyType: _keyType(isJwk),
            publicKey: isJwk ? bytes('{"kty":"EC"}') : _key(key).publicKey,
            notBefore: _time(times[0]),
            notAfter: _end(_time(times[0]), times[1]),
            duration: uint64(times[2] % REACH)
        });
        _watch(d, DidRegistryWitness.Window(successor.vMethodId, 31, successor.notBefore, successor.notAfter));
        _send(d, _signer(d, signer), abi.encodeCall(_registry.rollVerificationMethod, (d, _id(ids[0]), successor)));
    }

    function _watch(string memory did, DidRegistryWitness.Window memory named) private {
        _witness.lookBefore(did, named, false);
    }

    function _send(string memory did, address signer, bytes memory data) private returns (bool isDone) {
        bytes4 call = bytes4(data);
        bool isAllowed = call == _registry.insertFirstDidDocument.selector
            ? signer == _node
            : _registry.isController(did, signer) ||
                (signer == _operator && call == _registry.updateAlsoKnownAs.selector);
        vm.prank(signer);
        (isDone, ) = address(_registry).call(data);
        vm.assertTrue(isAllowed || !isDone, "carried out for somebody who does not control the DID");
        _witness.lookAfter(did);
    }

    /// @dev Most often a signer in control: rejected operations do not explore new states.
    function _signer(string memory did, uint256 seed) private view returns (address) {
        if (seed % 16 == 1) return _operator;
        if (seed % 16 == 2) return _node;
        for (uint256 i = 0; i < _keys.length && seed % 16 != 0; ++i) {
            address account = _keys[((seed % _keys.length) + i) % _keys.length].account;
            if (_registry.isController(did, account)) return account;
        }
        return _key(seed).account;
    }

    function _control(
        Key memory key,
        uint256 id,
        uint256 notBefore,
        uint256 notAfter
    ) private view returns (IDidRegistry.ControlKey memory) {
        uint64 start = _time(notBefore);
        return IDidRegistry.ControlKey(_id(id), key.proof, key.publicKey, start, _end(start, notAfter));
    }

    function _time(uint256 seed) private view returns (uint64) {
        return uint64(bound(seed, block.timestamp - REACH, block.timestamp + 2 * REACH));
    }

    /// @dev One in sixteen comes before its beginning, which is refused; half last for the whole test.
    function _end(uint64 start, uint256 seed) private pure returns (uint64) {
        if (seed % 16 == 0) return start - 1;
        return start + uint64(seed % 2 == 0 ? bound(seed, 1, 2 * REACH) : 1_000_000);
    }

    function _key(uint256 seed) private view returns (Key memory) {
        return _keys[seed % _keys.length];
    }

    function _did(uint256 seed) private view returns (string memory) {
        return _keys[seed % DIDS].did;
    }

    function _ofNobody() private pure returns (DidRegistryWitness.Window memory) {
        return DidRegistryWitness.Window(0, 0, 1, 0);
    }

    function _id(uint256 seed) private pure returns (bytes32) {
        return bytes32(1 + (seed % METHODS));
    }

    function _keyType(bool isJwk) private pure returns (IDidRegistry.PublicKeyType) {
        return isJwk ? IDidRegistry.PublicKeyType.JsonWebKey2020 : IDidRegistry.PublicKeyType.Secp256k1;
    }
}
