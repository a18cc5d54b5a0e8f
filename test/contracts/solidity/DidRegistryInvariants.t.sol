// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IDidRegistry} from "../../../contracts/interfaces/IDidRegistry.sol";
import {DidRegistryHandler} from "./support/DidRegistryHandler.sol";
import {DidRegistryWitness} from "./support/DidRegistryWitness.sol";
import {Key, Keys} from "./support/Keys.sol";
import {RegistryFixture} from "./support/RegistryFixture.sol";
import {vm} from "./support/Vm.sol";

/// @notice Invariants after any sequence of operations. The witness checks the changes of each operation.
contract DidRegistryInvariantsTest is RegistryFixture {
    DidRegistryHandler private _handler;
    Key[] private _keys;

    function setUp() public override {
        super.setUp();
        for (uint256 i = 0; i < 4; ++i) _keys.push(i < 2 ? _register(i) : Keys.create(i));
        _handler = new DidRegistryHandler(registry, new DidRegistryWitness(registry), OPERATOR, NODE, _keys);
    }

    /// @notice Only the handler is called: the runner asks for this.
    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_handler);
    }

    function invariant_TheRegistryIsWhole() external view {
        _requireAControllerOfEach();
        _requireOneMindAboutControl();
        _requireTheDidOfItsProof();
    }

    function _requireAControllerOfEach() private view {
        (uint256 total, string[] memory dids) = registry.identifiers(0, type(uint256).max);
        vm.assertTrue(total >= 2, "a DID is gone");
        for (uint256 i = 0; i < total; ++i) {
            vm.assertTrue(registry.controllersOf(dids[i]).length > 0, "no controller is left");
        }
    }

    /// @dev The document names exactly those who may write.
    function _requireOneMindAboutControl() private view {
        for (uint256 i = 0; i < _keys.length; ++i) {
            (, IDidRegistry.DidDocument memory document) = registry.resolve(_keys[i].did, 0);
            for (uint256 j = 0; j < _keys.length; ++j) {
                bool isNamed = false;
                for (uint256 k = 0; k < document.controllers.length; ++k) {
                    isNamed = isNamed || document.controllers[k] == _keys[j].account;
                }
                vm.assertTrue(isNamed == registry.isController(_keys[i].did, _keys[j].account), "not of one mind");
            }
        }
    }

    /// @dev An account stands for the DID that its proof registered, and for no other.
    function _requireTheDidOfItsProof() private view {
        for (uint256 i = 0; i < _keys.length; ++i) {
            string memory did = registry.didOfAccount(_keys[i].account);
            (bool found, ) = registry.resolve(_keys[i].did, 0);
            vm.assertEq(did, found ? _keys[i].did : "", "somebody else's DID");
        }
    }
}
