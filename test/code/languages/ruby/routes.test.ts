import { assert, describe, it } from "@effect/vitest"
import { routesIn } from "../../internal/routes.ts"

describe("routes of Ruby", () => {
  it("reads the blocks of Sinatra, and not the requests of its tests", () => {
    assert.deepStrictEqual(
      routesIn(
        "app.rb",
        "require 'sinatra'",
        "get '/hello/:name' do |name|",
        "  name",
        "end",
        "post('/a') { 'a' }",
        "get '/requested'",
        "get '/requested', {}, 'a' => 'b'",
        "# get '/commented' do",
        "get path do",
        "end",
      ),
      ["2-4 GET /hello/:name", "5 POST /a"],
    )
  })

  it("reads the routes of Rails with namespaces, scopes and nested resources", () => {
    assert.deepStrictEqual(
      routesIn(
        "config/routes.rb",
        "Rails.application.routes.draw do",
        "  root 'pages#home'",
        "  get '/about', to: 'pages#about'",
        "  post 'login' => 'sessions#create'",
        "  match 'x', to: 'x#y', via: [:get, :post]",
        "  namespace :admin do",
        "    resources :posts, only: %i[index show] do",
        "      resource :like, only: :create",
        "      get :recent, on: :collection",
        "      member do",
        "        patch :publish",
        "      end",
        "    end",
        "  end",
        "  scope '/v1' do",
        "    resource :user, only: [:show]",
        "  end",
        "end",
      ),
      [
        "2 GET / -> PagesController.home",
        "3 GET /about -> PagesController.about",
        "4 POST /login -> SessionsController.create",
        "5 GET /x -> XController.y",
        "5 POST /x -> XController.y",
        "7 GET /admin/posts -> Admin.PostsController.index",
        "7 GET /admin/posts/:id -> Admin.PostsController.show",
        "8 POST /admin/posts/:post_id/like -> Admin.LikesController.create",
        "9 GET /admin/posts/recent -> Admin.PostsController.recent",
        "11 PATCH /admin/posts/:id/publish -> Admin.PostsController.publish",
        "16 GET /v1/user -> UsersController.show",
      ],
    )
  })

  it("leaves out calls in files without a framework, and reads around a syntax error", () => {
    assert.deepStrictEqual(routesIn("spec.rb", "get '/x' do", "end", "cache.get '/x'"), [])
    assert.deepStrictEqual(
      routesIn("app.rb", "require 'sinatra'", "get '/a' do", "  (", "end", "get '/b' do", "  ]", "end"),
      ["2-4 GET /a", "5-7 GET /b"],
    )
  })
})
