// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IDidRegistry} from "./IDidRegistry.sol";

// @assumption A-15
/**
 * @title Registry of trusted issuers and their accreditations, down from the root.
 * @notice An attribute is one accreditation of one DID. Its parent, and thus its root, never
 * change. Its type only changes to REVOKED, which is final. Its data may have many revisions.
 * @custom:row 2.events.1 2.events.2
 */
interface ITrustedIssuersRegistry {
    /// @notice The role that an attribute grants. NONE is the type of an attribute that does not
    /// exist.
    enum IssuerType {
        NONE,
        ROOT_TAO,
        TAO,
        TI,
        REVOKED
    }

    /// @notice An attribute with the latest revision of its data; `taoDid` and `attributeIdTao` name its parent.
    struct Attribute {
        IssuerType issuerType;
        string taoDid;
        bytes32 attributeIdTao;
        string rootTaoDid;
        uint256 revisionCount;
        bytes data;
    }

    /**
     * @notice An attribute was published or revoked.
     * @param didHash keccak256 of the subject's DID
     * @param attributeId the attribute's identifier
     * @param did the subject's DID
     * @param issuerType the role, or REVOKED
     * @param taoDid the DID that accredits the subject
     * @param attributeIdTao the accrediting DID's own attribute
     */
    event AttributeMetadataSet(
        bytes32 indexed didHash,
        bytes32 indexed attributeId,
        string did,
        IssuerType issuerType,
        string taoDid,
        bytes32 attributeIdTao
    );

    /**
     * @notice An attribute's data got a revision; the first one has number 0.
     * @param didHash keccak256 of the subject's DID
     * @param attributeId the attribute's identifier
     * @param did the subject's DID
     * @param revision number of the revision, from 0
     * @param data the accreditation
     */
    event AttributeDataSet(
        bytes32 indexed didHash,
        bytes32 indexed attributeId,
        string did,
        uint256 revision,
        bytes data
    );

    /// @notice The DID of an attribute must not be empty.
    error TrustedIssuersRegistryEmptyDid();

    /**
     * @notice NONE is not a valid type for a publication.
     * @param issuerType the given role
     */
    error TrustedIssuersRegistryInvalidIssuerType(IssuerType issuerType);

    /**
     * @notice Only the operator may do this.
     * @param caller the signer
     */
    error TrustedIssuersRegistryNotOperator(address caller);

    /**
     * @notice The caller does not control any DID with the permission to do this.
     * @param did the subject's DID
     * @param attributeId the attribute's identifier
     * @param caller the signer
     */
    error TrustedIssuersRegistryNotAuthorized(string did, bytes32 attributeId, address caller);

    /**
     * @notice The parent attribute is not a ROOT_TAO or TAO, or it is revoked.
     * @param taoDid the accrediting DID
     * @param attributeIdTao its attribute
     */
    error TrustedIssuersRegistryNotAccredited(string taoDid, bytes32 attributeIdTao);

    /**
     * @notice The attribute does not exist.
     * @param did the subject's DID
     * @param attributeId the attribute's identifier
     */
    error TrustedIssuersRegistryAttributeNotPublished(string did, bytes32 attributeId);

    /**
     * @notice The attribute is permanently revoked.
     * @param did the subject's DID
     * @param attributeId the attribute's identifier
     */
    error TrustedIssuersRegistryAttributeIsRevoked(string did, bytes32 attributeId);

    /**
     * @notice The attribute was published with other values, which never change.
     * @param did the subject's DID
     * @param attributeId the attribute's identifier
     */
    error TrustedIssuersRegistryAttributeIsImmutable(string did, bytes32 attributeId);

    /**
     * @notice A revision must not be empty.
     * @param did the subject's DID
     * @param attributeId the attribute's identifier
     */
    error TrustedIssuersRegistryEmptyData(string did, bytes32 attributeId);

    /**
     * @notice The revision does not exist.
     * @param did the subject's DID
     * @param attributeId the attribute's identifier
     * @param revision the requested number
     */
    error TrustedIssuersRegistryRevisionNotFound(string did, bytes32 attributeId, uint256 revision);

    /**
     * @notice Publishes an attribute, or revokes one. Only the operator may publish ROOT_TAO. TAO
     * and TI require an accredited parent, and a caller who controls it or is the operator. REVOKED
     * requires the taoDid of the publication, and a caller who controls it and is still accredited,
     * or is the operator.
     * Repeating a publication changes nothing.
     * @param did the subject
     * @param revisionId the attribute's identifier
     * @param issuerType the role, or REVOKED
     * @param taoDid the DID that accredits the subject
     * @param attributeIdTao the accrediting DID's own attribute; ignored for REVOKED
     */
    function setAttributeMetadata(
        string calldata did,
        bytes32 revisionId,
        IssuerType issuerType,
        string calldata taoDid,
        bytes32 attributeIdTao
    ) external;

    /**
     * @notice Adds a revision of an attribute's data. Allowed for callers who control the subject,
     * callers who control the accrediting DID and are still accredited, and the operator.
     * @param did the subject
     * @param attributeId the attribute's identifier
     * @param attributeData the accreditation, a JWT as UTF-8
     */
    function setAttributeData(string calldata did, bytes32 attributeId, bytes calldata attributeData) external;

    /**
     * @notice An attribute with the latest revision of its data.
     * @param did the subject
     * @param attributeId the attribute's identifier
     * @return the attribute; issuerType NONE if it does not exist
     */
    function getAttribute(string calldata did, bytes32 attributeId) external view returns (Attribute memory);

    /**
     * @notice A revision of an attribute's data.
     * @param did the subject
     * @param attributeId the attribute's identifier
     * @param revision the revision's number, from 0
     */
    function getAttributeRevision(
        string calldata did,
        bytes32 attributeId,
        uint256 revision
    ) external view returns (bytes memory);

    /// @notice The registry that knows which keys control a DID.
    function didRegistry() external view returns (IDidRegistry);

    /// @notice The account with permission for every write: the DID registry's operator.
    function operator() external view returns (address);
}
