// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IDidRegistry} from "./interfaces/IDidRegistry.sol";
import {ITrustedIssuersRegistry} from "./interfaces/ITrustedIssuersRegistry.sol";

/**
 * @title Registry of trusted issuers and their accreditations, down from the root.
 * @notice Authority comes from the DID registry: the keys that control a DID there act for it here.
 */
contract TrustedIssuersRegistry is ITrustedIssuersRegistry {
    struct StoredAttribute {
        IssuerType issuerType;
        bytes32 taoDidHash;
        bytes32 attributeIdTao;
        bytes32 rootTaoDidHash;
        bytes[] revisions;
    }

    IDidRegistry private immutable _didRegistry;
    address private immutable _operator;
    mapping(bytes32 didHash => mapping(bytes32 attributeId => StoredAttribute)) private _attributes;
    mapping(bytes32 didHash => string did) private _dids;

    /**
     * @notice Creates a registry on top of a DID registry, with the same operator.
     * @param didRegistry_ the registry that knows which keys control a DID
     */
    constructor(IDidRegistry didRegistry_) {
        _didRegistry = didRegistry_;
        _operator = didRegistry_.operator();
    }

    // @assumption A-16
    /// @inheritdoc ITrustedIssuersRegistry
    /// @custom:row 2.resources-and-their-fields/types-used-in-the-tir.4
    function setAttributeMetadata(
        string calldata did,
        bytes32 revisionId,
        IssuerType issuerType,
        string calldata taoDid,
        bytes32 attributeIdTao
    ) external {
        if (issuerType == IssuerType.NONE) revert TrustedIssuersRegistryInvalidIssuerType(issuerType);
        StoredAttribute storage attribute = _attributes[_hashOf(did)][revisionId];
        if (attribute.issuerType == IssuerType.REVOKED) {
            revert TrustedIssuersRegistryAttributeIsRevoked(did, revisionId);
        }
        if (issuerType == IssuerType.REVOKED) {
            _revoke(attribute, did, revisionId, taoDid);
        } else {
            _publish(attribute, did, revisionId, issuerType, taoDid, attributeIdTao);
        }
    }

    // @assumption A-16
    /// @inheritdoc ITrustedIssuersRegistry
    /// @custom:row 2.endpoints/tir.13
    function setAttributeData(string calldata did, bytes32 attributeId, bytes calldata attributeData) external {
        StoredAttribute storage attribute = _attributes[_hashOf(did)][attributeId];
        if (attribute.issuerType == IssuerType.NONE) {
            revert TrustedIssuersRegistryAttributeNotPublished(did, attributeId);
        }
        if (attribute.issuerType == IssuerType.REVOKED) {
            revert TrustedIssuersRegistryAttributeIsRevoked(did, attributeId);
        }
        if (attributeData.length == 0) revert TrustedIssuersRegistryEmptyData(did, attributeId);
        if (!_mayWriteData(attribute, did)) {
            revert TrustedIssuersRegistryNotAuthorized(did, attributeId, msg.sender);
        }
        attribute.revisions.push(attributeData);
        emit AttributeDataSet(_hashOf(did), attributeId, did, attribute.revisions.length - 1, attributeData);
    }

    /// @inheritdoc ITrustedIssuersRegistry
    /// @custom:row 2.resources-and-their-fields/tir-attribute.4..6
    function getAttribute(string calldata did, bytes32 attributeId) external view returns (Attribute memory) {
        StoredAttribute storage stored = _attributes[_hashOf(did)][attributeId];
        uint256 revisionCount = stored.revisions.length;
        return
            Attribute({
                issuerType: stored.issuerType,
                taoDid: _dids[stored.taoDidHash],
                attributeIdTao: stored.attributeIdTao,
                rootTaoDid: _dids[stored.rootTaoDidHash],
                revisionCount: revisionCount,
                data: revisionCount == 0 ? bytes("") : stored.revisions[revisionCount - 1]
            });
    }

    /// @inheritdoc ITrustedIssuersRegistry
    function getAttributeRevision(
        string calldata did,
        bytes32 attributeId,
        uint256 revision
    ) external view returns (bytes memory) {
        bytes[] storage revisions = _attributes[_hashOf(did)][attributeId].revisions;
        if (revision >= revisions.length) {
            revert TrustedIssuersRegistryRevisionNotFound(did, attributeId, revision);
        }
        return revisions[revision];
    }

    /// @inheritdoc ITrustedIssuersRegistry
    function didRegistry() external view returns (IDidRegistry) {
        return _didRegistry;
    }

    /// @inheritdoc ITrustedIssuersRegistry
    function operator() external view returns (address) {
        return _operator;
    }

    /// @dev Repeating a publication changes and emits nothing, but requires the same authority.
    function _publish(
        StoredAttribute storage attribute,
        string calldata did,
        bytes32 attributeId,
        IssuerType issuerType,
        string calldata taoDid,
        bytes32 attributeIdTao
    ) private {
        if (bytes(did).length == 0 || bytes(taoDid).length == 0) revert TrustedIssuersRegistryEmptyDid();
        bytes32 rootTaoDidHash = _hashOf(did);
        if (issuerType == IssuerType.ROOT_TAO) {
            if (msg.sender != _operator) revert TrustedIssuersRegistryNotOperator(msg.sender);
        } else {
            _requireTao(did, attributeId, taoDid);
            rootTaoDidHash = _requireAccredited(taoDid, attributeIdTao);
        }
        if (attribute.issuerType == IssuerType.NONE) {
            _dids[_hashOf(did)] = did;
            _dids[_hashOf(taoDid)] = taoDid;
            attribute.issuerType = issuerType;
            attribute.taoDidHash = _hashOf(taoDid);
            attribute.attributeIdTao = attributeIdTao;
            attribute.rootTaoDidHash = rootTaoDidHash;
            emit AttributeMetadataSet(_hashOf(did), attributeId, did, issuerType, taoDid, attributeIdTao);
        } else if (
            attribute.issuerType != issuerType ||
            attribute.taoDidHash != _hashOf(taoDid) ||
            attribute.attributeIdTao != attributeIdTao
        ) {
            revert TrustedIssuersRegistryAttributeIsImmutable(did, attributeId);
        }
    }

    // @assumption A-16
    /// @custom:row 2.states-and-transitions.7
    function _revoke(
        StoredAttribute storage attribute,
        string calldata did,
        bytes32 attributeId,
        string calldata taoDid
    ) private {
        if (attribute.issuerType == IssuerType.NONE) {
            revert TrustedIssuersRegistryAttributeNotPublished(did, attributeId);
        }
        if (attribute.taoDidHash != _hashOf(taoDid)) {
            revert TrustedIssuersRegistryAttributeIsImmutable(did, attributeId);
        }
        _requireTao(did, attributeId, taoDid);
        if (msg.sender != _operator) _requireAccredited(taoDid, attribute.attributeIdTao);
        attribute.issuerType = IssuerType.REVOKED;
        emit AttributeMetadataSet(
            _hashOf(did),
            attributeId,
            did,
            IssuerType.REVOKED,
            taoDid,
            attribute.attributeIdTao
        );
    }

    function _requireTao(string calldata did, bytes32 attributeId, string calldata taoDid) private view {
        if (msg.sender != _operator && !_didRegistry.isController(taoDid, msg.sender)) {
            revert TrustedIssuersRegistryNotAuthorized(did, attributeId, msg.sender);
        }
    }

    function _requireAccredited(
        string calldata taoDid,
        bytes32 attributeIdTao
    ) private view returns (bytes32 rootTaoDidHash) {
        StoredAttribute storage parent = _attributes[_hashOf(taoDid)][attributeIdTao];
        if (!_isAccredited(parent)) revert TrustedIssuersRegistryNotAccredited(taoDid, attributeIdTao);
        return parent.rootTaoDidHash;
    }

    function _mayWriteData(StoredAttribute storage attribute, string calldata did) private view returns (bool) {
        if (msg.sender == _operator || _didRegistry.isController(did, msg.sender)) return true;
        return
            _isAccredited(_attributes[attribute.taoDidHash][attribute.attributeIdTao]) &&
            _didRegistry.isController(_dids[attribute.taoDidHash], msg.sender);
    }

    function _isAccredited(StoredAttribute storage attribute) private view returns (bool) {
        return attribute.issuerType == IssuerType.ROOT_TAO || attribute.issuerType == IssuerType.TAO;
    }

    function _hashOf(string calldata did) private pure returns (bytes32) {
        return keccak256(bytes(did));
    }
}
