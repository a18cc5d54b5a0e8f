// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IDidRegistry} from "./IDidRegistry.sol";

// @assumption A-15
/**
 * @title Registry of trusted issuers: who was accredited by whom, down from the root.
 * @notice An attribute is one accreditation of one DID. Its parent, and thus its root, never change, and
 * neither does its type but for the move to REVOKED, which is final. Its data may have many revisions.
 * @custom:row 2.events.1 2.events.2
 */
interface ITrustedIssuersRegistry {
    /// @notice The role that an attribute gives. NONE is the type of an attribute that does not exist.
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

    /// @notice An attribute needs a DID to be about.
    error TrustedIssuersRegistryEmptyDid();

    /**
     * @notice NONE is no type to publish.
     * @param issuerType the role that was given
     */
    error TrustedIssuersRegistryInvalidIssuerType(IssuerType issuerType);

    /**
     * @notice Only the operator may do this.
     * @param caller the signer
     */
    error TrustedIssuersRegistryNotOperator(address caller);

    /**
     * @notice The caller controls none of the DIDs that may do this.
     * @param did the subject's DID
     * @param attributeId the attribute's identifier
     * @param caller the signer
     */
    error TrustedIssuersRegistryNotAuthorized(string did, bytes32 attributeId, address caller);

    /**
     * @notice The parent attribute is no ROOT_TAO or TAO, or it is revoked.
     * @param taoDid the DID that was to accredit
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
     * @notice The attribute is revoked, and stays so.
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
     * @notice A revision has to hold something.
     * @param did the subject's DID
     * @param attributeId the attribute's identifier
     */
    error TrustedIssuersRegistryEmptyData(string did, bytes32 attributeId);

    /**
     * @notice There is no such revision.
     * @param did the subject's DID
     * @param attributeId the attribute's identifier
     * @param revision the number that was asked for
     */
    error TrustedIssuersRegistryRevisionNotFound(string did, bytes32 attributeId, uint256 revision);

    /**
     * @notice Publishes an attribute, or revokes one. ROOT_TAO is for the operator alone. TAO and TI need an
     * accredited parent, and a caller who controls it or is the operator. REVOKED needs the taoDid of the
     * publication, and a caller who controls it and is still accredited, or is the operator.
     * Publishing the same once more changes nothing.
     * @param did the subject
     * @param revisionId the attribute's identifier
     * @param issuerType the role, or REVOKED
     * @param taoDid the DID that accredits the subject
     * @param attributeIdTao the accrediting DID's own attribute; of no effect for REVOKED
     */
    function setAttributeMetadata(
        string calldata did,
        bytes32 revisionId,
        IssuerType issuerType,
        string calldata taoDid,
        bytes32 attributeIdTao
    ) external;

    /**
     * @notice Adds a revision of an attribute's data. For who controls the subject, who controls the
     * accrediting DID and is still accredited, and the operator.
     * @param did the subject
     * @param attributeId the attribute's identifier
     * @param attributeData the accreditation, a JWT as UTF-8
     */
    function setAttributeData(string calldata did, bytes32 attributeId, bytes calldata attributeData) external;

    /**
     * @notice An attribute with the latest revision of its data.
     * @param did the subject
     * @param attributeId the attribute's identifier
     * @return the attribute; issuerType NONE where it does not exist
     */
    function getAttribute(string calldata did, bytes32 attributeId) external view returns (Attribute memory);

    /**
     * @notice A revision of an attribute's data.
     * @param did the subject
     * @param attributeId the attribute's identifier
     * @param revision its number, from 0
     */
    function getAttributeRevision(
        string calldata did,
        bytes32 attributeId,
        uint256 revision
    ) external view returns (bytes memory);

    /// @notice The registry that tells who controls a DID.
    function didRegistry() external view returns (IDidRegistry);

    /// @notice The account that may write everything: the DID registry's operator.
    function operator() external view returns (address);
}
