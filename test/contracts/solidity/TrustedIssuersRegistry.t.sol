// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ITrustedIssuersRegistry} from "../../../contracts/interfaces/ITrustedIssuersRegistry.sol";
import {Key} from "./support/Keys.sol";
import {RegistryFixture} from "./support/RegistryFixture.sol";
import {vm} from "./support/Vm.sol";

/// @notice A root, a TAO below it and a trusted issuer below that; each attribute's identifier is ROOT, TAO or TI.
contract TrustedIssuersRegistryTest is RegistryFixture {
    bytes32 private constant ROOT = "root";
    bytes32 private constant TAO = "tao";
    bytes32 private constant TI = "ti";

    Key private root;
    Key private tao;
    Key private issuer;

    function setUp() public override {
        super.setUp();
        root = _register(1);
        tao = _register(2);
        issuer = _register(3);
        vm.prank(OPERATOR);
        tir.setAttributeMetadata(root.did, ROOT, _type(1), root.did, ROOT);
        vm.prank(root.account);
        tir.setAttributeMetadata(tao.did, TAO, _type(2), root.did, ROOT);
        vm.prank(tao.account);
        tir.setAttributeMetadata(issuer.did, TI, _type(3), tao.did, TAO);
    }

    // @row 2.resources-and-their-fields/tir-attribute.5 2.resources-and-their-fields/tir-attribute.6
    function test_TheRootIsInherited() external view {
        ITrustedIssuersRegistry.Attribute memory attribute = tir.getAttribute(issuer.did, TI);
        vm.assertEq(uint8(attribute.issuerType), 3, "type");
        vm.assertEq(attribute.taoDid, tao.did, "parent");
        vm.assertEq(attribute.attributeIdTao, TAO, "parent's attribute");
        vm.assertEq(attribute.rootTaoDid, root.did, "root");
        vm.assertEq(tir.operator(), OPERATOR, "operator");
        vm.assertEq(address(tir.didRegistry()), address(registry), "registry");
    }

    function testFuzz_OnlyTheOperatorPublishesRoots(address caller, string calldata did, bytes32 id) external {
        if (caller == OPERATOR || bytes(did).length == 0) return;
        _expect(ITrustedIssuersRegistry.TrustedIssuersRegistryNotOperator.selector, abi.encode(caller));
        vm.prank(caller);
        tir.setAttributeMetadata(did, id, _type(1), did, id);
        vm.prank(OPERATOR);
        tir.setAttributeMetadata(did, id, _type(1), did, id);
        vm.assertEq(tir.getAttribute(did, id).rootTaoDid, did, "its own root");
    }

    function testFuzz_OnlyWhoControlsTheTaoPublishesBelowIt(address caller, bool isTao) external {
        if (caller == tao.account || caller == OPERATOR) return;
        bytes memory arguments = abi.encode("did:new", TI, caller);
        _expect(ITrustedIssuersRegistry.TrustedIssuersRegistryNotAuthorized.selector, arguments);
        vm.prank(caller);
        tir.setAttributeMetadata("did:new", TI, _type(isTao ? 2 : 3), tao.did, TAO);
    }

    function testFuzz_OnlyAnAccreditedParentPasses(bytes32 attributeIdTao, bool isOperator) external {
        if (attributeIdTao == TAO) return;
        bytes memory arguments = abi.encode(tao.did, attributeIdTao);
        _expect(ITrustedIssuersRegistry.TrustedIssuersRegistryNotAccredited.selector, arguments);
        vm.prank(isOperator ? OPERATOR : tao.account);
        tir.setAttributeMetadata("did:new", TI, _type(3), tao.did, attributeIdTao);
    }

    function test_NeitherAnIssuerNorARevokedTaoAccredits() external {
        bytes4 selector = ITrustedIssuersRegistry.TrustedIssuersRegistryNotAccredited.selector;
        _expect(selector, abi.encode(issuer.did, TI));
        vm.prank(issuer.account);
        tir.setAttributeMetadata("did:new", TI, _type(3), issuer.did, TI);
        _revoke(root.account, tao.did, TAO, root.did);
        _expect(selector, abi.encode(tao.did, TAO));
        vm.prank(tao.account);
        tir.setAttributeMetadata("did:new", TI, _type(3), tao.did, TAO);
        _expect(selector, abi.encode(tao.did, TAO));
        _revoke(tao.account, issuer.did, TI, tao.did);
        _revoke(OPERATOR, issuer.did, TI, tao.did);
        vm.assertEq(uint8(tir.getAttribute(issuer.did, TI).issuerType), 4, "by the operator");
    }

    function testFuzz_APublicationNeverChanges(uint8 issuerType, bytes32 attributeIdTao) external {
        issuerType = 2 + (issuerType % 2);
        if (issuerType == 3 && attributeIdTao == TAO) return;
        vm.prank(OPERATOR);
        tir.setAttributeMetadata(tao.did, attributeIdTao, _type(2), root.did, ROOT);
        bytes memory arguments = abi.encode(issuer.did, TI);
        _expect(ITrustedIssuersRegistry.TrustedIssuersRegistryAttributeIsImmutable.selector, arguments);
        vm.prank(tao.account);
        tir.setAttributeMetadata(issuer.did, TI, _type(issuerType), tao.did, attributeIdTao);
    }

    function test_ThePublicationRepeatedIsFine() external {
        vm.prank(tao.account);
        tir.setAttributeMetadata(issuer.did, TI, _type(3), tao.did, TAO);
        vm.assertEq(uint8(tir.getAttribute(issuer.did, TI).issuerType), 3, "type");
    }

    function test_RefusesNoneAndEmptyDids() external {
        vm.prank(OPERATOR);
        _expect(ITrustedIssuersRegistry.TrustedIssuersRegistryInvalidIssuerType.selector, abi.encode(0));
        tir.setAttributeMetadata("did:new", TI, _type(0), tao.did, TAO);
        _expect(ITrustedIssuersRegistry.TrustedIssuersRegistryEmptyDid.selector, "");
        vm.prank(OPERATOR);
        tir.setAttributeMetadata("", TI, _type(1), tao.did, TAO);
        _expect(ITrustedIssuersRegistry.TrustedIssuersRegistryEmptyDid.selector, "");
        vm.prank(OPERATOR);
        tir.setAttributeMetadata("did:new", TI, _type(1), "", TAO);
    }

    // @row 2.states-and-transitions.7
    function testFuzz_ARevocationNeedsTheParentOfThePublication(string calldata taoDid, bool isOperator) external {
        if (keccak256(bytes(taoDid)) == keccak256(bytes(tao.did))) return;
        bytes memory arguments = abi.encode(issuer.did, TI);
        _expect(ITrustedIssuersRegistry.TrustedIssuersRegistryAttributeIsImmutable.selector, arguments);
        _revoke(isOperator ? OPERATOR : tao.account, issuer.did, TI, taoDid);
    }

    function testFuzz_ARevocationIsForTheParent(address caller) external {
        if (caller == tao.account || caller == OPERATOR) return;
        bytes memory arguments = abi.encode(issuer.did, TI, caller);
        _expect(ITrustedIssuersRegistry.TrustedIssuersRegistryNotAuthorized.selector, arguments);
        _revoke(caller, issuer.did, TI, tao.did);
    }

    function testFuzz_ARevocationIsFinal(uint8 issuerType, uint8 caller) external {
        vm.prank(issuer.account);
        tir.setAttributeData(issuer.did, TI, "body");
        _revoke(tao.account, issuer.did, TI, tao.did);
        bytes memory arguments = abi.encode(issuer.did, TI);
        bytes4 selector = ITrustedIssuersRegistry.TrustedIssuersRegistryAttributeIsRevoked.selector;
        address signer = [OPERATOR, tao.account, issuer.account][caller % 3];
        _expect(selector, arguments);
        vm.prank(signer);
        tir.setAttributeMetadata(issuer.did, TI, _type(1 + (issuerType % 4)), tao.did, TAO);
        _expect(selector, arguments);
        vm.prank(signer);
        tir.setAttributeData(issuer.did, TI, "later");
        vm.assertEq(tir.getAttribute(issuer.did, TI).data, "body", "the last body is still served");
    }

    // @row 2.endpoints/tir.13
    function test_OnlyWhatExistsIsRevokedOrWritten() external {
        bytes memory arguments = abi.encode("did:new", TI);
        bytes4 selector = ITrustedIssuersRegistry.TrustedIssuersRegistryAttributeNotPublished.selector;
        _expect(selector, arguments);
        _revoke(OPERATOR, "did:new", TI, tao.did);
        _expect(selector, arguments);
        vm.prank(OPERATOR);
        tir.setAttributeData("did:new", TI, "body");
    }

    function testFuzz_EveryRevisionIsKept(bytes[5] calldata bodies, uint256 beyond) external {
        address[3] memory signers = [OPERATOR, tao.account, issuer.account];
        uint256 count = 0;
        for (uint256 i = 0; i < 5; ++i) {
            if (bodies[i].length == 0) {
                bytes4 empty = ITrustedIssuersRegistry.TrustedIssuersRegistryEmptyData.selector;
                _expect(empty, abi.encode(issuer.did, TI));
            }
            vm.prank(signers[i % 3]);
            tir.setAttributeData(issuer.did, TI, bodies[i]);
            if (bodies[i].length == 0) continue;
            vm.assertEq(tir.getAttributeRevision(issuer.did, TI, count), bodies[i], "revision");
            vm.assertEq(tir.getAttribute(issuer.did, TI).data, bodies[i], "latest");
            vm.assertEq(tir.getAttribute(issuer.did, TI).revisionCount, ++count, "count");
        }
        if (beyond < count) return;
        bytes4 selector = ITrustedIssuersRegistry.TrustedIssuersRegistryRevisionNotFound.selector;
        _expect(selector, abi.encode(issuer.did, TI, beyond));
        tir.getAttributeRevision(issuer.did, TI, beyond);
    }

    function testFuzz_DataIsForSubjectAndParent(address caller) external {
        if (caller == OPERATOR || caller == tao.account || caller == issuer.account) return;
        bytes4 selector = ITrustedIssuersRegistry.TrustedIssuersRegistryNotAuthorized.selector;
        _expect(selector, abi.encode(issuer.did, TI, caller));
        vm.prank(caller);
        tir.setAttributeData(issuer.did, TI, "body");
        _revoke(root.account, tao.did, TAO, root.did);
        _expect(selector, abi.encode(issuer.did, TI, tao.account));
        vm.prank(tao.account);
        tir.setAttributeData(issuer.did, TI, "body");
    }

    function _revoke(address caller, string memory did, bytes32 id, string memory taoDid) private {
        vm.prank(caller);
        tir.setAttributeMetadata(did, id, _type(4), taoDid, 0);
    }

    function _type(uint8 issuerType) private pure returns (ITrustedIssuersRegistry.IssuerType) {
        return ITrustedIssuersRegistry.IssuerType(issuerType);
    }
}
