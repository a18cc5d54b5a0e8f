// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {DidRegistry} from "../../../../contracts/DidRegistry.sol";
import {ITrustedIssuersRegistry} from "../../../../contracts/interfaces/ITrustedIssuersRegistry.sol";
import {TrustedIssuersRegistry} from "../../../../contracts/TrustedIssuersRegistry.sol";
import {Key} from "./Keys.sol";
import {vm} from "./Vm.sol";

/// @notice Sends random operations to a trusted issuers registry and remembers what must never change.
contract TrustedIssuersRegistryHandler {
    uint256 private constant ATTRIBUTES = 3;

    DidRegistry private immutable _didRegistry;
    TrustedIssuersRegistry private immutable _tir;
    address private immutable _operator;
    Key[] private _keys;
    mapping(bytes32 attribute => bytes32 hash) private _firstPublications;
    mapping(bytes32 attribute => ITrustedIssuersRegistry.IssuerType) private _firstTypes;
    mapping(bytes32 attribute => bytes32[] hashes) private _revisions;
    mapping(bytes32 attribute => bool) private _isRoot;

    constructor(DidRegistry didRegistry_, TrustedIssuersRegistry tir_, address operator_, Key[] memory keys) {
        _didRegistry = didRegistry_;
        _tir = tir_;
        _operator = operator_;
        for (uint256 i = 0; i < keys.length; ++i) _keys.push(keys[i]);
    }

    function publish(uint256 signer, uint256 did, uint256 id, uint256 issuerType, uint256 tao, uint256 taoId) external {
        string memory subject = _did(did);
        string memory taoDid = _did(tao);
        bytes32 parentId = _id(taoId);
        ITrustedIssuersRegistry.IssuerType role = ITrustedIssuersRegistry.IssuerType(issuerType % 4);
        bool isRoot = role == ITrustedIssuersRegistry.IssuerType.ROOT_TAO;
        address caller = _signer(signer, isRoot ? signer : tao);
        bool isAllowed = caller == _operator || (!isRoot && _didRegistry.isController(taoDid, caller));
        bool isBelow = isRoot || _isAccredited(taoDid, parentId);
        vm.prank(caller);
        try _tir.setAttributeMetadata(subject, _id(id), role, taoDid, parentId) {
            vm.assertTrue(isAllowed, "published by somebody else");
            vm.assertTrue(isBelow, "published below what accredits nobody");
        } catch {}
        _look(subject, _id(id));
    }

    function revoke(uint256 signer, uint256 did, uint256 id, uint256 tao) external {
        string memory subject = _did(did);
        ITrustedIssuersRegistry.Attribute memory before = _tir.getAttribute(subject, _id(id));
        string memory taoDid = tao % 3 == 0 || bytes(before.taoDid).length == 0 ? _did(tao) : before.taoDid;
        address caller = _signer(signer, _holderOf(taoDid));
        bool isAllowed = caller == _operator ||
            (_didRegistry.isController(taoDid, caller) && _isAccredited(taoDid, before.attributeIdTao));
        vm.prank(caller);
        try _tir.setAttributeMetadata(subject, _id(id), ITrustedIssuersRegistry.IssuerType.REVOKED, taoDid, 0) {
            vm.assertTrue(isAllowed, "revoked by somebody else");
            vm.assertEq(taoDid, before.taoDid, "revoked in the name of another parent");
        } catch {}
        _look(subject, _id(id));
    }

    function setData(uint256 signer, uint256 did, uint256 id, bytes calldata data) external {
        string memory subject = _did(did);
        ITrustedIssuersRegistry.Attribute memory before = _tir.getAttribute(subject, _id(id));
        address caller = _signer(signer, signer % 2 == 0 ? did : _holderOf(before.taoDid));
        bool isOfParent = _isAccredited(before.taoDid, before.attributeIdTao) &&
            _didRegistry.isController(before.taoDid, caller);
        bool isAllowed = caller == _operator || isOfParent || _didRegistry.isController(subject, caller);
        vm.prank(caller);
        try _tir.setAttributeData(subject, _id(id), data) {
            vm.assertTrue(isAllowed, "written by somebody else");
            vm.assertTrue(before.issuerType != ITrustedIssuersRegistry.IssuerType.REVOKED, "written after the end");
            _revisions[_key(subject, _id(id))].push(keccak256(data));
        } catch {}
        _look(subject, _id(id));
    }

    /// @notice Fails if an attribute differs from its first publication or last write.
    function lookAtAll() external {
        for (uint256 i = 0; i < _keys.length; ++i) {
            for (uint256 j = 0; j < ATTRIBUTES; ++j) _look(_keys[i].did, _id(j));
        }
    }

    /// @notice Fails if an attribute does not lead up to the root that it names.
    function climbFromAll() external view {
        for (uint256 i = 0; i < _keys.length; ++i) {
            for (uint256 j = 0; j < ATTRIBUTES; ++j) _climb(_keys[i].did, _id(j));
        }
    }

    function _look(string memory did, bytes32 id) private {
        ITrustedIssuersRegistry.Attribute memory attribute = _tir.getAttribute(did, id);
        bytes32 key = _key(did, id);
        bytes32 hash = keccak256(abi.encode(attribute.taoDid, attribute.attributeIdTao, attribute.rootTaoDid));
        if (_firstTypes[key] == ITrustedIssuersRegistry.IssuerType.NONE) {
            _firstTypes[key] = attribute.issuerType;
            _isRoot[key] = attribute.issuerType == ITrustedIssuersRegistry.IssuerType.ROOT_TAO;
            _firstPublications[key] = hash;
        } else {
            vm.assertEq(hash, _firstPublications[key], "taoDid, attributeIdTao or rootTao changed");
            if (attribute.issuerType != _firstTypes[key]) {
                bool isRevoked = attribute.issuerType == ITrustedIssuersRegistry.IssuerType.REVOKED;
                vm.assertTrue(isRevoked, "issuerType changed to something else than REVOKED");
                _firstTypes[key] = ITrustedIssuersRegistry.IssuerType.REVOKED;
            }
        }
        bytes32[] storage revisions = _revisions[key];
        vm.assertEq(attribute.revisionCount, revisions.length, "revisions");
        for (uint256 i = 0; i < revisions.length; ++i) {
            vm.assertEq(keccak256(_tir.getAttributeRevision(did, id, i)), revisions[i], "a revision changed");
        }
        if (revisions.length > 0) {
            vm.assertEq(keccak256(attribute.data), revisions[revisions.length - 1], "not the latest revision");
        }
    }

    function _climb(string memory did, bytes32 id) private view {
        ITrustedIssuersRegistry.Attribute memory attribute = _tir.getAttribute(did, id);
        if (attribute.issuerType == ITrustedIssuersRegistry.IssuerType.NONE) return;
        string memory rootTaoDid = attribute.rootTaoDid;
        for (uint256 hops = 0; !_isRoot[_key(did, id)] && hops < _keys.length * ATTRIBUTES; ++hops) {
            (did, id) = (attribute.taoDid, attribute.attributeIdTao);
            attribute = _tir.getAttribute(did, id);
            vm.assertEq(attribute.rootTaoDid, rootTaoDid, "another root than its parent's");
        }
        vm.assertTrue(_isRoot[_key(did, id)], "no root above");
        vm.assertEq(did, rootTaoDid, "a root that names another");
    }

    function _isAccredited(string memory did, bytes32 id) private view returns (bool) {
        uint8 issuerType = uint8(_tir.getAttribute(did, id).issuerType);
        return issuerType == 1 || issuerType == 2;
    }

    /// @dev The operator, most often the expected signer, or any other signer.
    function _signer(uint256 seed, uint256 expected) private view returns (address) {
        if (seed % 4 == 0) return _operator;
        return _keys[(seed % 8 == 1 ? seed : expected) % _keys.length].account;
    }

    function _holderOf(string memory did) private view returns (uint256 index) {
        while (index < _keys.length && !_isSame(_keys[index].did, did)) ++index;
    }

    function _did(uint256 seed) private view returns (string memory) {
        return _keys[seed % _keys.length].did;
    }

    function _id(uint256 seed) private pure returns (bytes32) {
        return bytes32(1 + (seed % ATTRIBUTES));
    }

    function _key(string memory did, bytes32 id) private pure returns (bytes32) {
        return keccak256(abi.encode(did, id));
    }

    function _isSame(string memory left, string memory right) private pure returns (bool) {
        return keccak256(bytes(left)) == keccak256(bytes(right));
    }
}
